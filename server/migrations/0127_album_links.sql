-- Links that show an album: the release before shows none of its photos.
alter table shared_links
  drop constraint shared_links_kind_check,
  add constraint shared_links_kind_check check (kind in ('post', 'profile', 'album')),
  add column album_id uuid,
  -- the narrowest audience of the album whose photos its maker agreed to show
  add column album_audience text check (album_audience in ('members', 'followers', 'everyone')),
  add constraint shared_links_of_album
    check ((kind = 'album') = (album_id is not null) and (kind = 'album') = (album_audience is not null)),
  add constraint shared_links_album foreign key (account_id, album_id)
    references albums (owner_id, id) on delete cascade;
-- which go with an album
create index shared_links_by_album on shared_links (account_id, album_id) where album_id is not null;

-- Whether links to the album may show this member's photos: only they say so, and leaving takes it back.
alter table album_members add column shown_to_guests boolean not null default false;
-- whether somebody is in any album of an account
create index album_members_of_owner on album_members (owner_id, account_id);
