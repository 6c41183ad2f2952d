-- alt_suggestions: what members suggest as the description of somebody else's photo that has none.
-- A row waits for the photo's author: taken, it is the photo's description and the row is gone.
create table alt_suggestions (
  author_id uuid not null references accounts (id) on delete cascade,
  image_id uuid not null,
  -- whose suggestion it is: one a photo
  account_id uuid not null references accounts (id) on delete cascade,
  post_id uuid not null,
  -- another one with other words, so that an author takes what they read
  id uuid not null,
  alt text not null check (octet_length(alt) between 1 and 16000),
  primary key (author_id, image_id, account_id),
  constraint alt_suggestions_not_own check (account_id <> author_id),
  foreign key (author_id, post_id) references posts (author_id, id) on delete cascade,
  -- a photo that is taken out of its post is deleted
  foreign key (author_id, image_id) references images (account_id, id) on delete cascade
);
-- those of one post, in their order
create unique index alt_suggestions_by_post on alt_suggestions (author_id, post_id, id);
-- a member's own, for the archive and the deletion of the account
create index alt_suggestions_by_account on alt_suggestions (account_id, id);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('follow', 'like', 'comment', 'mention', 'message', 'alt'));
alter table notification_settings drop constraint notification_settings_unwanted_check;
alter table notification_settings add constraint notification_settings_unwanted_check
  check (unwanted <@ array['follow', 'like', 'comment', 'mention', 'message', 'alt']);
