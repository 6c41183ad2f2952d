-- word_filters: how apps group the words that a member muted, each group under a title. The words themselves are
-- in muted_words, as before; which of them a group has is said in the form they are compared in. A word that is
-- unmuted elsewhere, by the release before too, is in no group any more.
create table word_filters (
  account_id uuid not null references accounts (id) on delete cascade,
  id bigint not null,
  title text not null check (octet_length(title) <= 2000),
  words text[] not null,
  primary key (account_id, id),
  check (cardinality(words) <= 100 and octet_length(words::text) <= 200000)
);
