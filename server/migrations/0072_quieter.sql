-- Who may comment on a post from now on; what stands under it stays. Comments are written under the
-- post's lock, so none slips in after its author closed them.
alter table posts
  add column comments_from text not null default 'everyone'
    check (comments_from in ('everyone', 'following', 'nobody'));

-- Words and phrases that a member does not want to see, as typed, one row a member: it comes with the
-- session, and its checks bound what is compared with every text that they read.
create table muted_words (
  account_id uuid primary key references accounts (id) on delete cascade,
  words text[] not null,
  check (cardinality(words) between 1 and 100),
  check (array_position(words, null) is null and octet_length(words::text) <= 100000)
);
