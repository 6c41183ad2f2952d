-- The language of what somebody wrote, as their app said: a tag of BCP 47 (RFC 5646, which has 35 characters for the
-- longest that is of use). Null: nothing was said, as for everything until now; the release before neither reads
-- nor writes it.
alter table posts add column language text check (octet_length(language) <= 35);
alter table comments add column language text check (octet_length(language) <= 35);
