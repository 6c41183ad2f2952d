-- feed_visits: how far down somebody's home feed they were when they left, one row a member. Ids are
-- moments (UUIDv7), not posts: whatever post is deleted, the place stays.
create table feed_visits (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- when home was opened last
  seen_id uuid not null,
  -- where "You're all caught up" stands in this visit: when the last one was that got down to it
  line_id uuid,
  -- whether this visit got down to the line
  reached boolean not null
);
