-- deleted_posts: which posts an account once had. A client of the documented calls may still send a
-- copy of one with its whole list; without this it would look like a new post. Numbers and moments
-- only: nothing of what the post said or showed.
create table deleted_posts (
  author_id uuid not null references accounts (id) on delete cascade,
  number integer not null check (number >= 1),
  created_at timestamptz not null,
  -- the key under which the client that made it knows it
  client_key text,
  primary key (author_id, number)
);
create index deleted_posts_client_key on deleted_posts (author_id, client_key)
  where client_key is not null;
