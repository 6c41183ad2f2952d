-- What the operator gives to an account.
alter table accounts add column role text not null default 'member'
  constraint accounts_role check (role in ('member', 'moderator'));

-- An account that is to be deleted is hidden from the moment it asks (deleted_at), may come back
-- until deletion_due_at, and is being deleted once deletion_begun_at is set.
alter table accounts
  add column deletion_due_at timestamptz,
  add column deletion_begun_at timestamptz,
  add constraint accounts_deletion check (
    (deletion_due_at is null or deleted_at is not null)
    and (deletion_begun_at is null or deletion_due_at is not null)
  );
create index accounts_deletion_due on accounts (deletion_due_at) where deletion_due_at is not null;

-- retired_usernames: names of accounts that were deleted. Nobody gets them again, so that old links
-- never lead to a stranger; the names themselves are not kept (see docs/decisions/0071).
create table retired_usernames (digest bytea primary key check (octet_length(digest) = 32));

-- A post that came out of an archive. Its client_key names the post that it was there.
alter table posts add column imported_at timestamptz;

-- exports: archives that members asked for; the files lie in DATA_DIR/exports under their ids.
create table exports (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- removed: a later one took its place
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed', 'removed')),
  -- posts written and posts there are
  done integer not null default 0 check (done >= 0),
  total integer not null default 0 check (total >= 0),
  -- of the finished archive
  bytes bigint check (bytes > 0),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- the file and this row are removed then
  expires_at timestamptz,
  primary key (account_id, id),
  constraint exports_ready check (state <> 'ready' or (bytes is not null and expires_at is not null))
);
-- background jobs carry the id alone
create unique index exports_id on exports (id);
create unique index exports_one_at_a_time on exports (account_id) where state = 'waiting';
create index exports_expired on exports (expires_at) where expires_at is not null;

-- imports: archives that members brought along; the files lie in DATA_DIR/imports until they are read.
create table imports (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- posts looked at and posts there are
  done integer not null default 0 check (done >= 0),
  total integer not null default 0 check (total >= 0),
  -- posts made, and posts that were there already
  taken integer not null default 0 check (taken >= 0),
  known integer not null default 0 check (known >= 0),
  -- why it came to nothing, as a sentence
  problem text check (octet_length(problem) <= 2000),
  -- sentences about posts that were left out
  skipped jsonb not null default '[]',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (account_id, id)
);
create unique index imports_id on imports (id);
create unique index imports_one_at_a_time on imports (account_id) where state = 'waiting';
