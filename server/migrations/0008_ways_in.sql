-- When a session was last used, to within some minutes: the list of sessions tells it.
-- No index may have it: rewriting a row then stays within its page.
alter table sessions add column used_at timestamptz not null default now();
update sessions set used_at = updated_at;

-- two_factors: the secret that an account shares with an authenticator app.
create table two_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- encrypted with the installation's secret
  secret text not null,
  -- null until the app has shown one right code: nobody is locked out by half a set-up
  confirmed_at timestamptz,
  -- the newest step of 30 seconds (RFC 6238) whose code was taken: no code is taken twice
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- recovery_codes: keyed hashes of the codes that still work. Using one deletes it.
create table recovery_codes (
  account_id uuid not null references two_factors (account_id) on delete cascade,
  hash text not null,
  primary key (account_id, hash)
);

-- pending_sign_ins: somebody proved to be an account's owner and owes the second factor.
-- Looked up by token, as sessions are; of the token only a hash is kept.
create table pending_sign_ins (
  token_hash text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  expires_at timestamptz not null
);
create index pending_sign_ins_account on pending_sign_ins (account_id);
create index pending_sign_ins_expires on pending_sign_ins (expires_at);

-- passkeys: public keys of authenticators (WebAuthn), looked up by the id that the browser sends.
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (name <> '' and octet_length(name) <= 2000),
  credential_id text not null unique,
  public_key text not null,
  -- an unsigned 32-bit number (WebAuthn, section 6.1.1), which int4 does not hold and int8 sends as text
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text not null default '',
  aaguid text,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_account on passkeys (account_id);
