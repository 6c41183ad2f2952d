-- recent_photos: the few newest photo posts of every account, for the front page and Explore. One index
-- has them all, newest first, so that a page costs the same in a town and in a city; that an account
-- has no more than a few of them keeps one who posts all day from filling it.
create table recent_photos (
  author_id uuid not null,
  post_id uuid not null,
  primary key (author_id, post_id),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
-- a page of them
create index recent_photos_newest on recent_photos (post_id desc, author_id);

-- Whether the owner's photos are shown there.
alter table accounts add column show_in_explore boolean not null default true;
-- When the operator took a post out of there; it stays everywhere else.
alter table posts add column hidden_from_explore_at timestamptz;

insert into recent_photos (author_id, post_id)
select a.id, p.id
from accounts a
cross join lateral (
  select id from posts
  where author_id = a.id and (picture_count > 0)
  order by id desc
  limit 6
) p;

-- Whom somebody who signs up with a provider came for, and follows then.
alter table provider_attempts add column follow_id uuid;
