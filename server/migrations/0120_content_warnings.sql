-- What a post's author says that people should know before they see it; its photos are veiled then, and may be
-- without a word. The release before writes neither: its posts have no warning, and its edits leave them as they are.
alter table posts
  add column warning text check (octet_length(warning) between 1 and 3200),
  add column sensitive boolean not null default false,
  add constraint posts_warned_are_veiled check (warning is null or sensitive);
-- Null: the version had none, as all of the release before.
alter table post_versions
  add column warning text check (octet_length(warning) between 1 and 3200);
-- What has a warning is shown to its reader at once.
alter table accounts add column show_veiled boolean not null default false;
