-- app_push_subscriptions: where apps that a member let in want to be told (docs/decisions/0219). One a token, and
-- it ends with its token. Apart from push_subscriptions, whose endpoint is one browser's: an app may have the
-- same endpoint for several accounts.
create table app_push_subscriptions (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  token_id uuid not null unique references app_tokens (id) on delete cascade,
  endpoint text not null check (octet_length(endpoint) <= 2000),
  -- the app's keys (RFC 8291), base64url
  p256dh text not null check (octet_length(p256dh) <= 200),
  auth text not null check (octet_length(auth) <= 100),
  -- sealed as RFC 8291 has it; false: as its fourth draft had it
  standard boolean not null,
  -- what it wants to be told, in the words of the Mastodon client API
  alerts text[] not null check (cardinality(alerts) <= 20),
  -- of whose acts
  policy text not null check (policy in ('all', 'followed', 'follower', 'none')),
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
