-- Whose accounts on other services the addresses of a profile are, as "host/name": of https://www.instagram.com/ada/,
-- https://m.example/@ada and @ada@m.example, in the website or the value of a field (docs/decisions/0251).
create function accounts_elsewhere(website text, extra_fields jsonb) returns text[]
language sql immutable strict parallel safe cost 1000
as $$
  select array(
    select distinct coalesce(web[1] || '/' || web[2], handle[2] || '/' || handle[1]) collate "C"
    from (
      select website as said
      union all
      select field ->> 'value' from jsonb_array_elements(extra_fields) field
    ) addresses
    cross join lateral (
      select
        regexp_match(
          lower(said collate "C"),
          '^https?://(?:www\.)?([a-z0-9.:-]+)/(?:@|_u/|users/)?([a-z0-9._-]+)/?(?:[?#].*)?$'
        ) as web,
        regexp_match(lower(said collate "C"), '^@([a-z0-9._-]+)@([a-z0-9.:-]+)$') as handle
    ) found
    where web is not null or handle is not null
  )
$$;

create index accounts_elsewhere on accounts
  using gin ((accounts_elsewhere(website, extra_fields) collate "C")) with (fastupdate = off)
  where website <> '' or extra_fields <> '[]';
-- Which are frequent changes no plan.
alter index accounts_elsewhere alter column 1 set statistics 0;
