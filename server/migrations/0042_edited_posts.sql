-- A post that is out can be edited. `version` counts every change, descriptions of photos included:
-- an edit names the version it was made from, so that one never overwrites another unseen.
alter table posts
  add column version integer not null default 0 check (version >= 0),
  -- when its words, or which photos it has in which order, changed last; null: as it was posted
  add column edited_at timestamptz;

-- post_versions: what a post said before, for its author alone; the newest of them are kept.
create table post_versions (
  author_id uuid not null,
  post_id uuid not null,
  -- the post's version while it said so
  version integer not null check (version >= 0),
  caption text not null check (octet_length(caption) <= 65536),
  -- until when it said so
  replaced_at timestamptz not null,
  primary key (author_id, post_id, version),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade
);
