-- finished_deletions: which accounts are gone for good, by a hash of their id: enough to recognize one in an older
-- backup, not to say who it was. Backups keep this list beside them, and each restore deletes these accounts again
-- (docs/decisions/0071). A trigger fills it, so that the release before does too.
create table finished_deletions (
  account_digest bytea primary key check (octet_length(account_digest) = 32),
  finished_at timestamptz not null default now()
);
-- Read from the end, for those since the last look.
create index finished_deletions_at on finished_deletions (finished_at);

create function account_digest(id uuid) returns bytea language sql immutable strict parallel safe
return sha256(convert_to('postcard account ' || id::text, 'UTF8'));

create function record_deletion() returns trigger language plpgsql as $$
begin
  insert into finished_deletions (account_digest) values (account_digest(old.id)) on conflict do nothing;
  return null;
end $$;

create trigger account_deleted after delete on accounts
  for each row execute function record_deletion();
