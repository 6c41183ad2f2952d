-- operator_settings: what whoever runs the installation decided while it runs. A setting without a
-- row has its default; names and values are checked in server/features/operator.
create table operator_settings (
  key text primary key check (octet_length(key) <= 100),
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- invitations: codes that make one account each. Only a keyed hash stays here.
create table invitations (
  code_hash bytea primary key,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index invitations_expired on invitations (expires_at);

-- The invitation that somebody came with, while they are at a provider.
alter table provider_attempts
  add column invitation text check (octet_length(invitation) <= 200);
