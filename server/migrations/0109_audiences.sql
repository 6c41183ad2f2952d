-- Who may see a post (docs/decisions/0240). One predicate reads it, under every read of a post
-- (inAudience in server/features/people/accounts/visibility.queries.ts).
alter table posts add column audience text not null default 'everyone'
  check (audience in ('everyone', 'followers', 'close-friends', 'only-me'));
-- since when the account's posts are for its followers at most, whenever they were made; null: they are not
alter table accounts add column private_at timestamptz;
-- the audience that its member last chose for a post; null: none yet
alter table accounts add column default_audience text
  check (default_audience in ('everyone', 'followers', 'close-friends', 'only-me'));

-- close_friends belongs to the owner of the list, and only its owner knows who is on it.
create table close_friends (
  account_id uuid not null references accounts (id) on delete cascade,
  friend_id uuid not null references accounts (id) on delete cascade,
  -- orders the list by time
  id uuid not null,
  primary key (account_id, friend_id),
  constraint close_friends_not_self check (account_id <> friend_id)
);
create index close_friends_newest on close_friends (account_id, id desc);
-- whose lists somebody is on: these authors' posts for close friends are looked up for a home feed
create index close_friends_of on close_friends (friend_id, account_id);

-- follow_requests belongs to the private account that is asked.
create table follow_requests (
  account_id uuid not null references accounts (id) on delete cascade,
  requester_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (account_id, requester_id),
  constraint follow_requests_not_self check (account_id <> requester_id)
);
create index follow_requests_newest on follow_requests (account_id, id desc);
create index follow_requests_by_requester on follow_requests (requester_id, id desc);

-- The tabs of a profile, newest first, each audience apart: whoever may see few posts of many does not walk
-- past the others.
drop index posts_by_kind;
create index posts_by_kind on posts (author_id, (picture_count > 0), audience, id);
-- What followers see in their home feeds, found by the index alone, and beside it what close friends see.
create index posts_to_followers on posts (author_id, id) where audience in ('everyone', 'followers');
create index posts_to_close_friends on posts (author_id, id) where audience = 'close-friends';

-- narrow_posts: how many of an account's posts are not for everyone, by audience; account_counters counts
-- all of them. Kept by triggers, as account_counters.photos is (0062).
create table narrow_posts (
  author_id uuid not null references accounts (id) on delete cascade,
  audience text not null,
  posts integer not null check (posts >= 0),
  photos integer not null check (photos >= 0),
  primary key (author_id, audience)
);

-- A post whose audience grew goes into the lists of followers as a new one does (0068).
create function move_between_audiences() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update narrow_posts set posts = posts - 1, photos = photos - (old.picture_count > 0)::integer
    where author_id = old.author_id and audience = old.audience;
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if new.audience <> 'everyone' then
    insert into narrow_posts as n (author_id, audience, posts, photos)
    values (new.author_id, new.audience, 1, (new.picture_count > 0)::integer)
    on conflict (author_id, audience) do update
      set posts = n.posts + 1, photos = n.photos + excluded.photos;
  end if;
  if tg_op = 'UPDATE' and old.audience in ('close-friends', 'only-me')
    and new.audience in ('everyone', 'followers') then
    -- waits for those who put it into lists as what it was
    insert into home_pending (post_id, author_id) values (new.id, new.author_id)
    on conflict (post_id) do update set author_id = excluded.author_id;
  end if;
  return null;
end $$;

-- Row by row, so that a post for everyone costs no call.
create trigger narrow_posts_added after insert on posts
  for each row when (new.audience <> 'everyone') execute function move_between_audiences();
create trigger narrow_posts_removed after delete on posts
  for each row when (old.audience <> 'everyone') execute function move_between_audiences();
create trigger posts_changed_audience after update of audience, picture_count on posts
  for each row when (
    (old.audience <> 'everyone' or new.audience <> 'everyone')
    and (old.audience, old.picture_count > 0) <> (new.audience, new.picture_count > 0)
  )
  execute function move_between_audiences();

-- A hashtag leads to posts for everyone alone: whoever finds posts by it reads no audience. Servers of the
-- release before, and posts from before there were hashtags, are held to it here.
create function skip_tag_of_narrow_post() returns trigger language plpgsql as $$
begin
  if exists (
    select from posts
    where author_id = new.author_id and id = new.post_id and audience <> 'everyone'
  ) then
    return null;
  end if;
  return new;
end $$;

create trigger post_tags_for_everyone before insert on post_tags
  for each row execute function skip_tag_of_narrow_post();

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in (
    'follow', 'request', 'accepted', 'like', 'comment', 'mention', 'message', 'alt', 'report', 'verdict',
    'trouble', 'recovery'
  ));
alter table notification_settings drop constraint notification_settings_unwanted_check;
alter table notification_settings add constraint notification_settings_unwanted_check
  check (unwanted <@ array[
    'follow', 'request', 'accepted', 'like', 'comment', 'mention', 'message', 'alt'
  ]);

-- A photo of a post that is narrowed gets new files (docs/decisions/0241): what its key is made of from then
-- on instead of its id, and the key that an editor opened before may still name.
alter table images add column key_id uuid, add column former_key text;
