-- sealed_token: the token of a subscription, sealed under a key that only secrets.json makes, for what is pushed
-- with it: apps find the account by it (docs/decisions/0077). Null until an app subscribes anew, and for what the
-- release before writes.
alter table app_push_subscriptions
  add column sealed_token text check (octet_length(sealed_token) <= 300);
