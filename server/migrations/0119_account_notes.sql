-- account_notes: what members wrote about others for themselves. Nobody else reads one, and it goes with either of
-- the two; its id says when it was written last. The release before knows none.
create table account_notes (
  account_id uuid not null references accounts (id) on delete cascade,
  about_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  body text not null check (octet_length(body) <= 16000),
  primary key (account_id, about_id),
  check (account_id <> about_id)
);
create index account_notes_newest on account_notes (account_id, id desc);
create index account_notes_by_about on account_notes (about_id);
