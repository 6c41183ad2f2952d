-- shared_links: what a member shows to whoever has an address, who needs no account for it. The release before
-- knows none, and answers their addresses as it does unknown ones.
create table shared_links (
  account_id uuid not null references accounts (id) on delete cascade,
  -- public: it names the link in the addresses of its page and photos, and opens nothing
  id uuid not null,
  -- of the token in the address that was given away, which is stored nowhere
  token_hash bytea not null,
  kind text not null check (kind in ('post', 'profile')),
  post_id uuid,
  -- the narrowest audience whose posts its maker agreed to show
  audience text not null check (audience in ('everyone', 'followers', 'close-friends', 'only-me')),
  password_hash text,
  downloads boolean not null default false,
  previews boolean not null default false,
  -- null: until its maker ends it
  expires_at timestamptz,
  opened_count integer not null default 0,
  last_opened_at timestamptz,
  primary key (account_id, id),
  constraint shared_links_of_post check ((kind = 'post') = (post_id is not null)),
  constraint shared_links_only_me check (kind = 'post' or audience <> 'only-me'),
  foreign key (account_id, post_id) references posts (author_id, id) on delete cascade
);
-- guests name a link by either, and no account
create unique index shared_links_id on shared_links (id);
create unique index shared_links_token on shared_links (token_hash);
-- which go with a post
create index shared_links_by_post on shared_links (account_id, post_id) where post_id is not null;
-- what is swept
create index shared_links_expiry on shared_links (expires_at) where expires_at is not null;

-- guest_reports: what guests of links reported, beside the reports of members. They have no account, so nobody
-- hears of the outcome.
create table guest_reports (
  account_id uuid not null,
  case_id uuid not null,
  id uuid not null,
  reason text not null check
    (reason in ('spam', 'harassment', 'hate', 'sexual', 'violence', 'privacy', 'other')),
  words text not null check (octet_length(words) <= 16000),
  primary key (account_id, case_id, id),
  foreign key (account_id, case_id) references moderation_cases (account_id, id) on delete cascade
);
