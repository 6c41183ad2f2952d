-- conversations: one for each two accounts. An account that goes leaves its place empty: what the
-- other one wrote stays theirs.
create table conversations (
  id uuid primary key,
  -- the two accounts, the smaller id first
  low_id uuid references accounts (id) on delete set null,
  high_id uuid references accounts (id) on delete set null,
  -- messages are numbered from 1 under the lock of this row: one order for both sides
  last_seq integer not null default 0 check (last_seq >= 0),
  -- id (UUIDv7) of the newest message: the order of the list of chats
  last_message_id uuid,
  -- the transaction that wrote the newest message: what a stream missed is looked for here first
  last_xid xid8,
  constraint conversations_pair unique (low_id, high_id),
  constraint conversations_not_self check (low_id <> high_id)
) with (fillfactor = 70);
-- the chats of an account, newest first
create index conversations_low on conversations (low_id, last_message_id desc);
create index conversations_high on conversations (high_id, last_message_id desc);

-- conversation_members: what each side keeps for itself.
create table conversation_members (
  account_id uuid not null references accounts (id) on delete cascade,
  conversation_id uuid not null references conversations (id) on delete cascade,
  -- messages up to this number were seen
  read_seq integer not null default 0 check (read_seq >= 0),
  -- no notification of this conversation
  muted boolean not null default false,
  primary key (account_id, conversation_id)
) with (fillfactor = 70);

create table messages (
  conversation_id uuid not null references conversations (id) on delete cascade,
  seq integer not null check (seq >= 1),
  id uuid not null,
  sender_id uuid not null references accounts (id) on delete cascade,
  body text not null default '' check (octet_length(body) <= 65536),
  has_picture boolean not null default false,
  -- taken back by its sender: the number stays, the words and the picture go
  deleted_at timestamptz,
  -- the client's own key: a repeated send finds the first message again
  client_key text,
  -- written (or taken back) by this transaction: the streams read what is new by it
  xid xid8 not null default pg_current_xact_id(),
  primary key (conversation_id, seq),
  constraint messages_client_key unique (conversation_id, sender_id, client_key),
  constraint messages_not_empty check (body <> '' or has_picture or deleted_at is not null)
);
-- the streams: what was written since a transaction
create index messages_newest on messages (xid);
-- by who wrote them: export, deletion
create index messages_by_account on messages (sender_id, id desc);

-- message_pictures: private, never served as the public pictures are. Files under `key` in the
-- private store, deleted when the row goes.
create table message_pictures (
  conversation_id uuid not null,
  seq integer not null,
  key text not null unique,
  width integer not null check (width between 1 and 65535),
  height integer not null check (height between 1 and 65535),
  widths integer[] not null check (cardinality(widths) between 1 and 12),
  thumbhash bytea not null check (octet_length(thumbhash) between 5 and 64),
  bytes integer not null check (bytes > 0),
  media_type text not null,
  primary key (conversation_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);
