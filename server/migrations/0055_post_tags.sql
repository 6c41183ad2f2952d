-- post_tags: by which tags a post is found. A post's own, so they are its author's and go with it.
create table post_tags (
  author_id uuid not null,
  post_id uuid not null,
  -- as tags are compared: NFKC, without case (shared/tags.ts); in the order of its code points, in
  -- which what begins alike stands together in every locale
  tag text collate "C" not null check (octet_length(tag) between 1 and 1200),
  primary key (author_id, post_id, tag),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
-- the newest posts of a tag, and which tags begin with some letters
create index post_tags_newest on post_tags (tag, post_id desc, author_id);

-- untagged_posts: posts from before there were tags, whose tags are read one by one in the
-- background: what a tag is, is known to shared/tags.ts alone.
create table untagged_posts (
  author_id uuid not null,
  post_id uuid not null,
  primary key (author_id, post_id),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
insert into untagged_posts (author_id, post_id)
select author_id, id from posts where caption ~ '[#＃]';
