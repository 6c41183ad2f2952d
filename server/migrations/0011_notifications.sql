-- notifications: what is told to a member, one row for what belongs together (the likes of one post,
-- the comments under it, who followed) until it is read; what comes after that begins another.
create table notifications (
  account_id uuid not null references accounts (id) on delete cascade,
  -- that of the first act
  id uuid not null,
  kind text not null check (kind in ('follow', 'like', 'comment', 'mention', 'message')),
  -- what acts are gathered around: the post, the comment of a mention, the conversation, oneself
  subject_id uuid not null,
  -- the post it leads to; another owner's, so no foreign key: its deletion removes them
  author_id uuid,
  post_id uuid,
  -- the newest act: lists are in its order
  latest_id uuid not null,
  unread boolean not null default true,
  primary key (account_id, id)
);
-- the one that takes the next act, and how many are unread
create unique index notifications_open on notifications (account_id, kind, subject_id) where unread;
create index notifications_newest on notifications (account_id, latest_id desc);
create index notifications_mentions on notifications (account_id, latest_id desc)
  where kind = 'mention';
-- the deletion of a post
create index notifications_by_post on notifications (author_id, post_id) where post_id is not null;
-- for the daily mail: what has been unread for a while
create index notifications_waiting on notifications (latest_id, account_id) where unread;
-- what was read long ago
create index notifications_read on notifications (latest_id) where not unread;

-- notification_acts: who did what a notification tells; id is that of the follow, like, comment,
-- post or message. An act is told to somebody once, so undoing it finds it by its key.
create table notification_acts (
  account_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  actor_id uuid not null references accounts (id) on delete cascade,
  primary key (account_id, id),
  foreign key (account_id, notification_id) references notifications (account_id, id)
    on delete cascade
);
create index notification_acts_newest
  on notification_acts (account_id, notification_id, id desc, actor_id);
-- a block between the two, the deletion of an account
create index notification_acts_by_actor on notification_acts (actor_id, account_id);

-- notification_settings: what a member does not want to be told. No row: everything.
create table notification_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  unwanted text[] not null default '{}'
    check (unwanted <@ array['follow', 'like', 'comment', 'mention', 'message']),
  -- a daily mail of what is unread
  digest boolean not null default true,
  -- when the last one was written: at most one a day, and nothing twice
  digested_at timestamptz
);

-- push_subscriptions: browsers that a member wants to be told in. One ends with its session.
create table push_subscriptions (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null check (octet_length(endpoint) <= 2000),
  -- the browser's keys (RFC 8291), base64url
  p256dh text not null check (octet_length(p256dh) <= 200),
  auth text not null check (octet_length(auth) <= 100),
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint push_subscriptions_endpoint unique (endpoint)
);
create index push_subscriptions_session on push_subscriptions (session_id);
