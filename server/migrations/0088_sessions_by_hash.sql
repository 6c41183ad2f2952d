-- Who asks is found by this. A null would be a session nobody has.
create unique index sessions_token_hash on sessions (token_hash);
alter table sessions alter column token_hash set not null;
-- Only what the version before still looks up: empty once its time is over.
create unique index sessions_readable_token on sessions (token) where token is not null;
alter table sessions drop constraint sessions_token_key;
