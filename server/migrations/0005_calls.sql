-- idempotency_keys: what a call that creates something answered to a client's own key, so that the
-- same request sent again gets the same answer and does nothing twice. Swept after a day.
create table idempotency_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  key text not null check (octet_length(key) between 1 and 200),
  -- sha256 of the call and what it was sent: another request under the same key is refused
  fingerprint bytea not null,
  -- null only inside the transaction that does the work
  status smallint,
  answer json,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- visitor_images: pictures sent before there is an account, for an hour. The files lie in the image
-- store under `key`, which nobody is told before a sign-up turns the row into one of `images`.
create table visitor_images (
  id uuid primary key,
  key text not null unique,
  width integer not null check (width between 1 and 65535),
  height integer not null check (height between 1 and 65535),
  widths integer[] not null check (cardinality(widths) between 1 and 12),
  thumbhash bytea not null check (octet_length(thumbhash) between 5 and 64),
  bytes integer not null check (bytes > 0),
  media_type text not null,
  -- keyed hash of the uploader's cookie: only that browser sees the picture
  uploader text not null,
  created_at timestamptz not null default now()
);
create index visitor_images_created on visitor_images (created_at);

-- How many uploads of one account wait to be used.
create index images_unclaimed_by_account on images (account_id) where claimed_at is null;
