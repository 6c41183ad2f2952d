-- The home feed of those who read it, written ahead: docs/decisions/0184. Whatever is missing here, the
-- feed is read without it; what is here is checked against follows, blocks, mutes, accounts and posts
-- at every read.

-- Whether the posts of this followee go into the list of this follower: written on the side of the
-- followee first, so that no post falls between (server/features/posts/feed/home-lists.queries.ts).
alter table follows add column listed boolean not null default false;
alter table followers add column listed boolean not null default false;
-- whose posts the list lacks: those followed since, and those whom very many follow
create index follows_unlisted on follows (follower_id, followee_id) where not listed;
-- into whose lists a post goes
create index followers_listed on followers (followee_id, follower_id) where listed;

-- home_lists: one row a member who reads home. home_entries has every post above floor_id of those whose
-- follow is listed, but for the posts in home_pending; null while it is being made.
create table home_lists (
  account_id uuid primary key references accounts (id) on delete cascade,
  floor_id uuid,
  -- followed accounts that could not be listed when it was last looked after
  left_out integer not null default 0,
  -- when it was read and looked after last, to the day
  read_at timestamptz not null default now()
);
create index home_lists_read on home_lists (read_at);

-- No foreign keys: a check for every row would cost as much as the row, and all of it can be made again.
create table home_entries (
  account_id uuid not null,
  post_id uuid not null,
  author_id uuid not null,
  primary key (account_id, post_id)
);

-- home_pending: posts that are out and in no list yet. A queue that is empty most of the time, and no
-- account's: the newest are read with every page.
create table home_pending (
  post_id uuid primary key,
  author_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- By a trigger: posts come in several ways, and from servers that have not been updated yet.
create function note_new_posts() returns trigger language plpgsql as $$
begin
  insert into home_pending (post_id, author_id) select id, author_id from added;
  return null;
end $$;
create trigger posts_to_be_listed after insert on posts
  referencing new table as added for each statement execute function note_new_posts();
