-- blocks: who must see nothing of whom. A block is two rows, one for each side, so that a read asks
-- one question of the viewer's own rows whichever of the two it was: the primary key as far as
-- other_id. `own` says that account_id is the one who blocked.
create table blocks (
  account_id uuid not null references accounts (id) on delete cascade,
  other_id uuid not null references accounts (id) on delete cascade,
  own boolean not null,
  -- the same in both rows
  id uuid not null,
  primary key (account_id, other_id, own),
  constraint blocks_not_self check (account_id <> other_id)
);
-- whom a member blocked, latest first
create index blocks_newest on blocks (account_id, id desc) where own;
-- the deletion of an account
create index blocks_by_other on blocks (other_id);

-- mutes: whose posts stay out of a member's feed, and of whom nothing is told. The other's side has
-- no row: nobody learns of it.
create table mutes (
  account_id uuid not null references accounts (id) on delete cascade,
  muted_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  primary key (account_id, muted_id),
  constraint mutes_not_self check (account_id <> muted_id)
);
create index mutes_newest on mutes (account_id, id desc);
create index mutes_by_muted on mutes (muted_id);
