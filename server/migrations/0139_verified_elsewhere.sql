-- Which addresses that lead back name an account elsewhere: found before those that anybody can write.
create index verified_elsewhere on verified_links
  using gin ((accounts_elsewhere(address, '[]') collate "C")) with (fastupdate = off);
alter index verified_elsewhere alter column 1 set statistics 0;
