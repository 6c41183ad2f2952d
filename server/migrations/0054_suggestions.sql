-- dismissed_suggestions: whom a member does not want suggested any more. The other's side has no
-- row: nobody learns of it. A follow removes it; of one member the newest 500 are kept.
create table dismissed_suggestions (
  account_id uuid not null references accounts (id) on delete cascade,
  dismissed_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (account_id, dismissed_id),
  constraint dismissed_suggestions_not_self check (account_id <> dismissed_id)
);
create index dismissed_suggestions_newest on dismissed_suggestions (account_id, id desc);
-- the deletion of an account
create index dismissed_suggestions_by_other on dismissed_suggestions (dismissed_id);

-- Who posted photos lately, whoever they are. Written as nobody else writes it: for the photos of one
-- account (picture_count > 0) PostgreSQL must not think of reading everybody's.
create index posts_newest_photos on posts (id desc) where picture_count >= 1;
