-- Search by pieces that very many have (docs/decisions/0177): an index of pieces collects every match
-- before it gives the first, so one account in 64 is indexed apart and asked before all are.
-- The last byte of an id is random; substr(…, 1) changes nothing, and keeps a query of the sample away
-- from the index of all, whatever PostgreSQL knows of their sizes.

create index accounts_search_grams_sample on accounts
  using gin ((search_grams(substr(search_name, 1), full_name) collate "C")) with (fastupdate = off)
  where get_byte(uuid_send(id), 15) < 4;
-- As for accounts_search_grams: which pieces are frequent changes no plan.
alter index accounts_search_grams_sample alter column 1 set statistics 0;

create index accounts_email_trgm_sample on accounts
  using gin (substr(email_as_typed, 1) gin_trgm_ops)
  where findable_by_email and get_byte(uuid_send(id), 15) < 4;
