-- provider_attempts: sign-ins on their way to an identity provider and back, ten minutes each.
-- Found by what the browser brings, like sessions: the exception to owner first. Of the state and of
-- the browser's cookie only hashes are kept.
create table provider_attempts (
  id uuid primary key,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  provider text not null,
  -- connecting: the member who asked for it; null for a sign-in
  account_id uuid references accounts (id) on delete cascade,
  in_popup boolean not null,
  nonce text not null,
  code_verifier text not null,
  -- where it leads afterwards, a path of ours
  return_to text not null check (octet_length(return_to) <= 4096),
  -- the browser came back with it: no state counts twice
  returned_at timestamptz,
  -- how it ended: an outcome or the code of a problem; null while it is on its way
  outcome text,
  expires_at timestamptz not null
);
-- another sign-in of the same browser cancels those that wait
create index provider_attempts_waiting on provider_attempts (browser_hash) where outcome is null;
create index provider_attempts_expired on provider_attempts (expires_at);
