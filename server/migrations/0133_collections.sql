-- Collections of saved posts: one account's own, which nobody else ever sees (docs/decisions/0246).
create table collections (
  account_id uuid not null references accounts (id) on delete cascade,
  -- newest first
  id uuid not null,
  title text not null check (octet_length(title) between 1 and 1600),
  -- the key of the call that made it
  client_key text,
  primary key (account_id, id)
);
create unique index collections_client_key on collections (account_id, client_key)
  where client_key is not null;

-- What is no bookmark any more is in none, whoever ends it: also the release before, and the deletion of a post.
create table collection_items (
  account_id uuid not null,
  collection_id uuid not null,
  author_id uuid not null,
  post_id uuid not null,
  -- orders them by when they were added
  id uuid not null,
  primary key (account_id, collection_id, author_id, post_id),
  foreign key (account_id, collection_id) references collections (account_id, id) on delete cascade,
  foreign key (account_id, author_id, post_id) references bookmarks (account_id, author_id, post_id)
    on delete cascade
);
create index collection_items_newest on collection_items (account_id, collection_id, id desc);
create index collection_items_by_bookmark on collection_items (account_id, author_id, post_id);
