-- uploads: pictures of members that arrive in parts. What arrived lies in DATA_DIR/uploads, under the
-- account and the id; how much that is, the file itself says.
create table uploads (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  -- of the whole file
  bytes integer not null check (bytes > 0),
  -- that came in all, those that were sent twice among them
  received bigint not null default 0 check (received >= 0),
  touched_at timestamptz not null default now(),
  -- the picture made of it, set in the transaction of the picture's row: one upload is never two.
  -- No foreign key: the picture may go first
  image_id uuid,
  -- why no picture could be made of it
  refused text check (octet_length(refused) <= 100),
  primary key (account_id, id)
);
create index uploads_touched on uploads (touched_at);

-- An unused picture that came by an upload may belong to a draft: it stays until then, not for an hour.
alter table images add column draft_until timestamptz;
