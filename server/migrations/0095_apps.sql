-- Apps of other people that members let in, over the Mastodon client API: docs/decisions/0203 and 0204.

-- The decimal id that those apps know a row by, made of its UUIDv7: 42 bits of its millisecond, then the
-- last 21 bits. server/mastodon/ids.ts says the same. Nothing is stored, so nothing has to be filled in
-- or kept; the indexes look a row up by it.
create function decimal_id(id uuid) returns bigint language sql immutable strict parallel safe as $$
  select ((('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint & 4398046511103) << 21)
    | (('x' || right(id::text, 6))::bit(24)::integer & 2097151)
$$;
create index posts_decimal_id on posts (decimal_id(id));
create index comments_decimal_id on comments (decimal_id(id));
create index accounts_decimal_id on accounts (decimal_id(id));

-- apps: nobody's; one row a registration. Those that no member let in are swept.
create table apps (
  id uuid primary key,
  client_id text not null unique,
  secret_hash bytea not null,
  name text not null check (octet_length(name) between 1 and 400),
  website text not null check (octet_length(website) <= 2000),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  scopes text[] not null check (cardinality(scopes) between 1 and 60),
  created_at timestamptz not null default now()
);

-- app_codes: a member said yes; the app fetches its token with it, once and soon.
create table app_codes (
  code_hash bytea primary key,
  app_id uuid not null references apps (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  -- PKCE S256; null where the app named none
  challenge text,
  expires_at timestamptz not null
);
create index app_codes_app on app_codes (app_id);
create index app_codes_account on app_codes (account_id);

-- app_tokens: looked up by their hash, as sessions are by their token. Without an account: of the app itself.
create table app_tokens (
  token_hash bytea primary key,
  id uuid not null unique,
  app_id uuid not null references apps (id) on delete cascade,
  account_id uuid references accounts (id) on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index app_tokens_app on app_tokens (app_id);
create index app_tokens_account on app_tokens (account_id, id) where account_id is not null;

-- What a picture shows, said before there is a post: it goes into the post.
create table image_descriptions (
  account_id uuid not null,
  image_id uuid not null,
  alt text not null check (octet_length(alt) <= 16000),
  primary key (account_id, image_id),
  foreign key (account_id, image_id) references images (account_id, id) on delete cascade
);

-- How far a member read in their apps.
create table read_markers (
  account_id uuid not null references accounts (id) on delete cascade,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (account_id, timeline)
);
