-- What a member writes posts and comments in, as a tag of BCP 47; null: the language of their screens.
alter table accounts
  add column posting_language text check (octet_length(posting_language) between 2 and 35);
