-- Where the pictures of this database lie: `folder` (of the DATA_DIR that pictures_id names, be some of them
-- at an image host), or the address of a bucket. Null until the first start with this version.
alter table installation add column pictures_at text check (octet_length(pictures_at) <= 1000);
