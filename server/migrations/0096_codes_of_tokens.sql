-- With which code an app fetched a token: whoever brings that code again ends it (RFC 6749, section 4.1.2).
alter table app_tokens
  add column code_hash bytea,
  -- PKCE S256; null where the app named none
  add column code_challenge text;
create index app_tokens_code on app_tokens (code_hash) where code_hash is not null;
