-- account_activity: sign-ins, refusals and changes of how an account is entered, for its member to read.
-- Kept for 90 days; no secrets. What repeats is one row: its bucket says with what it is counted
-- together (server/features/identity/activity.ts).
create table account_activity (
  account_id uuid not null references accounts (id) on delete cascade,
  -- of the first time
  id uuid not null,
  kind text not null check (octet_length(kind) <= 40),
  -- by what, or which one: the method of a sign-in, the name of a provider
  detail text not null default '' check (octet_length(detail) <= 400),
  -- an IPv4 address or an IPv6 /64; empty where several, or none, are meant
  network text not null default '' check (octet_length(network) <= 64),
  user_agent text not null default '' check (octet_length(user_agent) <= 400),
  count integer not null default 1,
  last_at timestamptz not null default now(),
  bucket text not null check (octet_length(bucket) <= 300),
  primary key (account_id, id),
  constraint account_activity_bucket unique (account_id, bucket)
);
-- what is old is swept by its id, which begins with its time
create index account_activity_age on account_activity (id);
