-- Conversations that a member brought along in an archive: a copy of the member's own, which nobody
-- else reads and nobody answers (docs/decisions/0098). Who they were with is text: accounts here are
-- not the accounts there.
create table imported_threads (
  account_id uuid not null references accounts (id) on delete cascade,
  -- the conversation's where it was held
  id uuid not null,
  -- the other one as the archive says; null where it does not
  other_username text check (octet_length(other_username) <= 100),
  other_name text check (octet_length(other_name) <= 2000),
  -- when the newest of its messages was sent
  newest_at timestamptz not null,
  primary key (account_id, id)
);
-- the list, newest first
create index imported_threads_newest on imported_threads (account_id, newest_at desc, id desc);

create table imported_messages (
  account_id uuid not null references accounts (id) on delete cascade,
  thread_id uuid not null,
  -- its place in the conversation; those that the archive left out are missing
  number integer not null check (number >= 1),
  -- its own where it was sent
  id uuid not null,
  -- by this account
  sent boolean not null,
  body text not null default '' check (octet_length(body) <= 65536),
  deleted boolean not null default false,
  -- as the archive says, never later than it was brought
  sent_at timestamptz not null,
  -- of a picture, upright, pixels; the picture itself is there where the account sent it
  picture_width integer check (picture_width between 1 and 65535),
  picture_height integer check (picture_height between 1 and 65535),
  imported_at timestamptz not null default now(),
  primary key (account_id, thread_id, number),
  foreign key (account_id, thread_id) references imported_threads (account_id, id) on delete cascade,
  constraint imported_messages_not_empty check (body <> '' or picture_width is not null or deleted),
  constraint imported_messages_picture check ((picture_width is null) = (picture_height is null))
);

-- imported_pictures: files in the private store, as those of messages, for the account alone.
create table imported_pictures (
  account_id uuid not null references accounts (id) on delete cascade,
  thread_id uuid not null,
  number integer not null,
  key text not null unique,
  width integer not null check (width between 1 and 65535),
  height integer not null check (height between 1 and 65535),
  widths integer[] not null check (cardinality(widths) between 1 and 12),
  thumbhash bytea not null check (octet_length(thumbhash) between 5 and 64),
  bytes integer not null check (bytes > 0),
  media_type text not null,
  primary key (account_id, thread_id, number),
  foreign key (account_id, thread_id, number)
    references imported_messages (account_id, thread_id, number) on delete cascade
);

-- messages looked at and messages there are, those made, and those that were there already
alter table imports
  add column messages_done integer not null default 0 check (messages_done >= 0),
  add column messages_total integer not null default 0 check (messages_total >= 0),
  add column messages_taken integer not null default 0 check (messages_taken >= 0),
  add column messages_known integer not null default 0 check (messages_known >= 0);
