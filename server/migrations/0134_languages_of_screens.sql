-- What a member reads the screens in, as a tag of BCP 47; null: what their browser asks for.
alter table accounts add column language text check (octet_length(language) between 2 and 35);
