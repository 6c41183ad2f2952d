-- What members say about themselves beside the bio: up to four pairs of a name and a value. The release before
-- neither reads nor writes them.
alter table accounts add column extra_fields jsonb not null default '[]'
  check (
    jsonb_typeof(extra_fields) = 'array'
    and jsonb_array_length(extra_fields) <= 4
    and octet_length(extra_fields::text) <= 150000
  );

-- verified_links: addresses on a profile whose page leads back to it, as they are written there. One that is no
-- longer on the profile is shown to nobody, and removed with the next check.
create table verified_links (
  account_id uuid not null references accounts (id) on delete cascade,
  address text not null check (octet_length(address) <= 2000),
  verified_at timestamptz not null default now(),
  primary key (account_id, address)
);
