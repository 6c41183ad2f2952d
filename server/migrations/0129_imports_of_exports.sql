-- Posts come from the exports of other services as well, stay out of feeds, and go again when their import is
-- undone (docs/decisions/0248).
alter table imports
  -- chosen for posts that do not say whom they are for; null: as in the next post
  add column audience text
    check (audience in ('everyone', 'followers', 'close-friends', 'only-me')),
  -- where its posts came from
  add column kind text not null default 'postcard',
  -- sentences about what does not come over by its kind
  add column left_out jsonb not null default '[]',
  -- since when its posts are being removed
  add column undo_begun_at timestamptz,
  -- when the last of them was
  add column undone_at timestamptz,
  -- posts removed
  add column undone integer not null default 0 check (undone >= 0);

-- which import made a post; null also where a server of the release before imported it
alter table posts add column import_id uuid;
-- and an album; an owner has a hundred at most
alter table albums add column import_id uuid;
create index posts_by_import on posts (author_id, import_id, id) where import_id is not null;

-- What followers and close friends see in their home feeds. The release before finds the same posts by the
-- primary key, and the imported ones, until it is replaced.
drop index posts_to_followers;
create index posts_to_followers on posts (author_id, id)
  where audience in ('everyone', 'followers') and imported_at is null;
drop index posts_to_close_friends;
create index posts_to_close_friends on posts (author_id, id)
  where audience = 'close-friends' and imported_at is null;

delete from recent_photos r using posts p
where p.author_id = r.author_id and p.id = r.post_id and p.imported_at is not null;
