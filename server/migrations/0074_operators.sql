-- An operator does in the browser what the command line does, and moderates, too. Given by the command
-- line, by another operator, or by the link that a start writes into the log while there is none.
alter table accounts drop constraint accounts_role;
alter table accounts add constraint accounts_role
  check (role in ('member', 'moderator', 'operator'));
-- who is told of a new report, and who is an operator
drop index accounts_moderators;
create index accounts_moderators on accounts (role, id) where role <> 'member';

-- operator_link: the one link that makes its taker the first operator; a later start replaces it.
create table operator_link (
  is_only boolean primary key default true check (is_only),
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- operator_log: what operators did, in the browser and at the command line. Ids, which name nobody once
-- an account is gone, and no words of anybody's; it is only ever added to.
create table operator_log (
  id uuid primary key,
  at timestamptz not null default now(),
  -- null: at the command line
  actor_id uuid,
  -- whom it was about; null: the place
  account_id uuid,
  act text not null check (octet_length(act) <= 40),
  -- the setting and its value, the size, the role, the end
  detail text not null default '' check (octet_length(detail) <= 1000)
);
create function refuse_changed_operator_log() returns trigger language plpgsql as $$
begin
  raise exception 'the operators'' log is only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger operator_log_is_final before update or delete or truncate on operator_log
  for each statement execute function refuse_changed_operator_log();

-- Invitations can be listed and withdrawn; their codes stay with whom they were given to.
alter table invitations
  add column id uuid not null default gen_random_uuid(),
  -- whom it is for, in the operator's words
  add column note text not null default '' check (octet_length(note) <= 400);
create unique index invitations_id on invitations (id);

-- failed_jobs: jobs that were given up, until they are tried again; old ones go.
create table failed_jobs (
  id uuid primary key,
  name text not null,
  data jsonb not null,
  error text not null check (octet_length(error) <= 2000),
  failed_at timestamptz not null default now()
);

-- recent_errors: the last errors of the log of all processes. Only the newest stay.
create table recent_errors (
  id uuid primary key,
  at timestamptz not null default now(),
  -- what the log said, in the words of the code
  message text not null check (octet_length(message) <= 1000),
  -- kind and code of the error, and its first line without addresses and long words
  detail text not null default '' check (octet_length(detail) <= 2000)
);

-- doctor_round: the last round of the doctor that an operator asked for in the browser.
create table doctor_round (
  is_only boolean primary key default true check (is_only),
  started_at timestamptz not null,
  ended_at timestamptz,
  findings jsonb not null default '[]'
);
