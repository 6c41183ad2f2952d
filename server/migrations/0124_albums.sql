-- Albums belong to one account (docs/decisions/0243). Who may see one is asked under every read
-- (albumOpenTo in server/features/people/accounts/visibility.queries.ts).
create table albums (
  owner_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  title text not null check (octet_length(title) between 1 and 1600),
  description text not null default '' check (octet_length(description) <= 16000),
  -- whom it is for besides its members
  audience text not null check (audience in ('members', 'followers', 'everyone')),
  -- by hand: album_items.position; by date: when its posts were made
  sorted text not null default 'manual' check (sorted in ('manual', 'date')),
  -- the item that stands for it, where it is there and its reader may see it; null: the first
  cover_author_id uuid,
  cover_post_id uuid,
  -- the key of the call that made it
  client_key text,
  -- when its members were last notified that something was added
  announced_at timestamptz,
  primary key (owner_id, id)
);
-- its address has its id alone
create unique index albums_by_id on albums (id);
create unique index albums_client_key on albums (owner_id, client_key) where client_key is not null;

create table album_members (
  owner_id uuid not null,
  album_id uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  -- contributors add photos
  role text not null check (role in ('contributor', 'member')),
  -- orders them by time
  id uuid not null,
  primary key (owner_id, album_id, account_id),
  foreign key (owner_id, album_id) references albums (owner_id, id) on delete cascade,
  check (account_id <> owner_id)
);
create index album_members_by_account on album_members (account_id, album_id);

-- One an album: who has the link joins as `role`. Looked up by a hash of its token, which alone is stored.
create table album_invitations (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  owner_id uuid not null,
  album_id uuid not null,
  role text not null check (role in ('contributor', 'member')),
  unique (owner_id, album_id),
  foreign key (owner_id, album_id) references albums (owner_id, id) on delete cascade
);

-- Who sends photos into an album does so in one go at a time, for as long as the lease runs.
create table album_batches (
  account_id uuid primary key references accounts (id) on delete cascade,
  batch text not null check (octet_length(batch) between 1 and 400),
  until timestamptz not null
);

-- A post that is for whoever its album is for. Its `audience` is only-me: so the release before, which knows no
-- albums, shows it to its author alone, and so it becomes a post for only its author wherever it loses its album.
alter table posts
  add column album_owner_id uuid,
  add column album_id uuid,
  add constraint posts_album_is_narrow check (
    (album_id is null) = (album_owner_id is null) and (album_id is null or audience = 'only-me')
  ),
  add constraint posts_album foreign key (album_owner_id, album_id)
    references albums (owner_id, id) on delete set null (album_owner_id, album_id);
create index posts_of_album on posts (album_owner_id, album_id, author_id) where album_id is not null;

-- Whoever gives it another audience takes it out of the album's, the release before too. It stays an item.
create function leave_album_audience() returns trigger language plpgsql as $$
begin
  new.album_owner_id := null;
  new.album_id := null;
  return new;
end $$;
create trigger posts_leave_album_audience before update of audience on posts
  for each row when (old.album_id is not null and new.audience <> 'only-me')
  execute function leave_album_audience();

-- What a profile lists has no posts of albums.
drop index posts_by_kind;
create index posts_by_kind on posts (author_id, (picture_count > 0), audience, id)
  where album_id is null;

-- What is in an album, also posts of another audience that were put into it.
create table album_items (
  owner_id uuid not null,
  album_id uuid not null,
  author_id uuid not null,
  post_id uuid not null,
  -- by hand: an item that is moved gets the middle between two others
  position numeric not null,
  -- of its post, `album` where that is for whoever the album is for: kept by a trigger
  audience text not null,
  added_at timestamptz not null default now(),
  primary key (owner_id, album_id, author_id, post_id),
  foreign key (owner_id, album_id) references albums (owner_id, id) on delete cascade,
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
create index album_items_by_hand on album_items (owner_id, album_id, position, post_id);
-- ids of posts have the order of their times
create index album_items_by_date on album_items (owner_id, album_id, post_id);
create index album_items_by_post on album_items (author_id, post_id);

-- album_counts: how many of each author's posts are in an album, by audience: a viewer's number is a sum of those
-- rows that are for them.
create table album_counts (
  owner_id uuid not null,
  album_id uuid not null,
  author_id uuid not null references accounts (id) on delete cascade,
  audience text not null,
  items integer not null check (items >= 0),
  primary key (owner_id, album_id, author_id, audience),
  foreign key (owner_id, album_id) references albums (owner_id, id) on delete cascade
);

create function count_album_items() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update album_counts set items = items - 1
    where owner_id = old.owner_id and album_id = old.album_id
      and author_id = old.author_id and audience = old.audience;
  end if;
  if tg_op <> 'DELETE' then
    insert into album_counts as c (owner_id, album_id, author_id, audience, items)
    values (new.owner_id, new.album_id, new.author_id, new.audience, 1)
    on conflict (owner_id, album_id, author_id, audience) do update set items = c.items + 1;
  end if;
  return null;
end $$;
create trigger album_items_counted after insert or delete on album_items
  for each row execute function count_album_items();
create trigger album_items_changed_audience after update of audience on album_items
  for each row when (old.audience <> new.audience) execute function count_album_items();

create function change_audience_of_items() returns trigger language plpgsql as $$
begin
  update album_items set audience = case when new.album_id is null then new.audience else 'album' end
  where author_id = new.author_id and post_id = new.id;
  return null;
end $$;
create trigger posts_changed_audience_in_albums after update of audience, album_id on posts
  for each row when ((old.audience, old.album_id) is distinct from (new.audience, new.album_id))
  execute function change_audience_of_items();

-- Who is no longer a member takes their photos along, whoever ends it: also a block by the release before.
create function take_items_along() returns trigger language plpgsql as $$
begin
  -- As whatever adds or removes their posts: one at a time; and no post is waited for once one was changed.
  perform from account_counters where account_id = old.account_id for no key update;
  perform from posts
  where album_owner_id = old.owner_id and album_id = old.album_id and author_id = old.account_id
  order by id for no key update;
  update posts set album_owner_id = null, album_id = null
  where album_owner_id = old.owner_id and album_id = old.album_id and author_id = old.account_id;
  delete from album_items
  where owner_id = old.owner_id and album_id = old.album_id and author_id = old.account_id;
  return null;
end $$;
create trigger album_members_left after delete on album_members
  for each row execute function take_items_along();

create function leave_albums_of_blocked() returns trigger language plpgsql as $$
begin
  delete from album_members where account_id = new.other_id and album_id in (
    select id from albums where owner_id = new.account_id
  ) and owner_id = new.account_id;
  return null;
end $$;
create trigger blocks_end_memberships after insert on blocks
  for each row execute function leave_albums_of_blocked();

-- narrow_posts: of those for only their author, how many are in albums. The release before takes them as such.
alter table narrow_posts
  add column album_posts integer not null default 0 check (album_posts >= 0),
  add column album_photos integer not null default 0 check (album_photos >= 0);

create or replace function move_between_audiences() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update narrow_posts
    set posts = posts - 1, photos = photos - (old.picture_count > 0)::integer,
      album_posts = album_posts - (old.album_id is not null)::integer,
      album_photos = album_photos - (old.album_id is not null and old.picture_count > 0)::integer
    where author_id = old.author_id and audience = old.audience;
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if new.audience <> 'everyone' then
    insert into narrow_posts as n (author_id, audience, posts, photos, album_posts, album_photos)
    values (
      new.author_id, new.audience, 1, (new.picture_count > 0)::integer,
      (new.album_id is not null)::integer,
      (new.album_id is not null and new.picture_count > 0)::integer
    )
    on conflict (author_id, audience) do update
      set posts = n.posts + 1, photos = n.photos + excluded.photos,
        album_posts = n.album_posts + excluded.album_posts,
        album_photos = n.album_photos + excluded.album_photos;
  end if;
  if tg_op = 'UPDATE' and old.audience in ('close-friends', 'only-me')
    and new.audience in ('everyone', 'followers') then
    -- waits for those who put it into lists as what it was
    insert into home_pending (post_id, author_id) values (new.id, new.author_id)
    on conflict (post_id) do update set author_id = excluded.author_id;
  end if;
  return null;
end $$;

drop trigger posts_changed_audience on posts;
create trigger posts_changed_audience after update of audience, album_id, picture_count on posts
  for each row when (
    (old.audience <> 'everyone' or new.audience <> 'everyone')
    and (old.audience, old.album_id is null, old.picture_count > 0)
      <> (new.audience, new.album_id is null, new.picture_count > 0)
  )
  execute function move_between_audiences();

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in (
    'follow', 'request', 'accepted', 'like', 'comment', 'mention', 'message', 'alt', 'album', 'invited',
    'report', 'verdict', 'trouble', 'recovery'
  ));
alter table notification_settings drop constraint notification_settings_unwanted_check;
alter table notification_settings add constraint notification_settings_unwanted_check
  check (unwanted <@ array[
    'follow', 'request', 'accepted', 'like', 'comment', 'mention', 'message', 'alt', 'album', 'invited'
  ]);
