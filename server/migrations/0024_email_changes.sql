-- email_changes: changes of address that members asked for. They stay a week after they were asked
-- for, or confirmed: so long the mailbox before can undo them.
create table email_changes (
  account_id uuid not null references accounts (id) on delete cascade,
  -- by time: undoing a change undoes those after it as well
  id uuid not null,
  -- both as typed
  old_email text not null,
  new_email text not null,
  -- nobody undoes a change from a mailbox that nobody proved
  old_verified boolean not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- cancelled, replaced by another one, or ended by signing out everywhere
  withdrawn_at timestamptz,
  primary key (account_id, id),
  constraint email_changes_sizes check (
    octet_length(old_email) <= 320 and octet_length(new_email) <= 320
  ),
  constraint email_changes_outcome check (confirmed_at is null or withdrawn_at is null)
);
create unique index email_changes_pending on email_changes (account_id)
  where confirmed_at is null and withdrawn_at is null;
-- whether a former address is kept for the account that had it
create index email_changes_former on email_changes (lower(old_email)) where confirmed_at is not null;
