-- Every table belongs to one account (or one conversation) and its primary key begins with that
-- owner, so that the tables can be distributed by owner. Foreign keys stay within one owner or
-- point at accounts. Ids are UUIDv7 made by the application: they sort by time.

create extension if not exists pg_trgm;

-- accounts: small, read everywhere, seldom written (counters live in account_counters).
create table accounts (
  id uuid primary key,
  username text not null,
  -- lower case, as better-auth writes it: sign-in and uniqueness compare this one
  email text not null,
  -- as typed at sign-up: shown to its owner, searched by substring
  email_as_typed text not null,
  email_verified boolean not null default false,
  first_name text not null default '',
  second_name text not null default '',
  -- first and second joined by a space; empty when no name was given
  full_name text not null default '',
  -- case-folded and space-free, made by shared/text.ts: what search matches
  search_name text not null default '',
  bio text not null default '',
  website text not null default '',
  avatar_image_id uuid,
  show_email boolean not null default false,
  findable_by_email boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  suspended_at timestamptz,
  deleted_at timestamptz,
  constraint accounts_username_form check (username ~ '^[a-z0-9_]{3,30}$'),
  constraint accounts_email_lower check (email = lower(email)),
  constraint accounts_email_as_typed check (lower(email_as_typed) = email),
  constraint accounts_full_name check (full_name = btrim(first_name || ' ' || second_name)),
  -- backstops in bytes; what people count (graphemes) is checked in the feature
  constraint accounts_sizes check (
    octet_length(email) <= 320 and octet_length(first_name) <= 2000
    and octet_length(second_name) <= 2000 and octet_length(bio) <= 16000
    and octet_length(website) <= 2000
  )
);
create unique index accounts_email_key on accounts (email);
create unique index accounts_username_key on accounts (username);
-- search: substrings of three and more characters
create index accounts_search_trgm on accounts using gin (search_name gin_trgm_ops);
-- search: one and two characters, by prefix
create index accounts_search_prefix on accounts (search_name text_pattern_ops);
-- search by a part of the email, case-sensitive
create index accounts_email_trgm on accounts using gin (email_as_typed gin_trgm_ops)
  where findable_by_email;

-- usernames: every name an account ever had; a former one leads to its account for good.
create table usernames (
  username text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  taken_at timestamptz not null default now(),
  constraint usernames_form check (username ~ '^[a-z0-9_]{3,30}$')
);
create index usernames_account on usernames (account_id);

-- account_counters: what changes with every post or follow, one row an account.
create table account_counters (
  account_id uuid primary key references accounts (id) on delete cascade,
  posts integer not null default 0 check (posts >= 0),
  -- the number of the newest post ever made: numbers are never given out twice
  last_post_number integer not null default 0 check (last_post_number >= posts),
  followers integer not null default 0 check (followers >= 0),
  following integer not null default 0 check (following >= 0)
) with (fillfactor = 70);

-- credentials: the ways in (better-auth's "account"): a password, later identity providers.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  provider_id text not null,
  subject text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint credentials_subject unique (provider_id, subject)
);
create index credentials_account on credentials (account_id);

-- sessions and verification codes are looked up by their token: the exception to owner first.
create table sessions (
  id uuid primary key,
  token text not null unique,
  account_id uuid not null references accounts (id) on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_account on sessions (account_id);
create index sessions_expires on sessions (expires_at);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);
create index verifications_expires on verifications (expires_at);

-- images: one row an upload, owned by its uploader. Its files lie in the image store under `key`
-- and are deleted when the row goes.
create table images (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- content address: part of every public URL of this picture
  key text not null unique,
  width integer not null check (width between 1 and 65535),
  height integer not null check (height between 1 and 65535),
  -- the widths a WebP variant exists in, ascending, pixels
  widths integer[] not null check (cardinality(widths) between 1 and 12),
  thumbhash bytea not null check (octet_length(thumbhash) between 5 and 64),
  bytes integer not null check (bytes > 0),
  media_type text not null,
  created_at timestamptz not null default now(),
  -- set when a post or a profile uses it; an upload never used is swept
  claimed_at timestamptz,
  primary key (account_id, id)
);
create index images_unclaimed on images (created_at) where claimed_at is null;

alter table accounts add constraint accounts_avatar
  foreign key (id, avatar_image_id) references images (account_id, id)
  deferrable initially deferred;

create table posts (
  author_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- counted per author: /post/{author}/{number}
  number integer not null check (number >= 1),
  caption text not null default '' check (octet_length(caption) <= 65536),
  picture_count smallint not null default 0 check (picture_count between 0 and 10),
  like_count integer not null default 0 check (like_count >= 0),
  comment_count integer not null default 0 check (comment_count >= 0),
  -- IANA zone of the author when posting: the stored date and hour texts are read in it
  time_zone text not null default 'UTC',
  -- the client's own key: a repeated submit finds the first post again
  client_key text,
  created_at timestamptz not null default now(),
  primary key (author_id, id),
  constraint posts_number unique (author_id, number),
  constraint posts_client_key unique (author_id, client_key),
  constraint posts_not_empty check (picture_count > 0 or caption <> '')
) with (fillfactor = 85);
-- the two tabs of a profile, newest first
create index posts_by_kind on posts (author_id, (picture_count > 0), id desc);

create table post_pictures (
  author_id uuid not null,
  post_id uuid not null,
  position smallint not null check (position between 1 and 10),
  image_id uuid not null,
  alt text not null default '' check (octet_length(alt) <= 16000),
  primary key (author_id, post_id, position),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade,
  foreign key (author_id, image_id) references images (account_id, id)
);
create unique index post_pictures_image on post_pictures (author_id, image_id);

-- follows belongs to the follower, followers (its mirror) to the followee; both rows and both
-- counters change in one transaction. `id` orders the lists by time.
create table follows (
  follower_id uuid not null references accounts (id) on delete cascade,
  followee_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (follower_id, followee_id),
  constraint follows_not_self check (follower_id <> followee_id)
);
create index follows_newest on follows (follower_id, id desc);

create table followers (
  followee_id uuid not null references accounts (id) on delete cascade,
  follower_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (followee_id, follower_id)
);
create index followers_newest on followers (followee_id, id desc);

create table likes (
  author_id uuid not null,
  post_id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (author_id, post_id, account_id),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
-- who liked, newest first
create index likes_newest on likes (author_id, post_id, id desc);
-- by who made them: export, deletion
create index likes_by_account on likes (account_id, id desc);

create table comments (
  author_id uuid not null,
  post_id uuid not null,
  id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  body text not null check (body <> '' and octet_length(body) <= 32768),
  client_key text,
  created_at timestamptz not null default now(),
  primary key (author_id, post_id, id),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade,
  constraint comments_client_key unique (author_id, post_id, account_id, client_key)
);
create index comments_by_account on comments (account_id, id desc);

-- bookmarks belong to the viewer; (author_id, post_id) names another owner's post, so no foreign
-- key: the post's deletion removes them, found by bookmarks_by_post.
create table bookmarks (
  account_id uuid not null references accounts (id) on delete cascade,
  author_id uuid not null,
  post_id uuid not null,
  id uuid not null,
  -- copied from the post: the two tabs of Saved
  has_picture boolean not null,
  primary key (account_id, author_id, post_id)
);
create index bookmarks_newest on bookmarks (account_id, has_picture, id desc);
create index bookmarks_by_post on bookmarks (author_id, post_id);

-- rate_limits: failures and attempts counted across restarts and processes
-- (the form rate-limiter-flexible expects).
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
