-- Until when processes of the version before may run beside this one, as in a roll: so long, what is
-- written here can be read there as well. An installation without members has none.
alter table installation add column former_version_until timestamptz;
update installation
set former_version_until =
  case when exists (select from accounts) then now() + interval '1 hour' else now() end;
alter table installation alter column former_version_until set not null;
-- the row is there from the first migrations on; a restored one brings its own
alter table installation alter column former_version_until set default now();

-- sessions.token_hash: SHA-256 of the token, so that who can read the table can open nothing. `token`
-- itself is what the version before looks up and writes; the sweep empties it once nobody does.
alter table sessions add column token_hash bytea;
alter table sessions alter column token drop not null;

create function hash_session_token() returns trigger language plpgsql as $$
begin
  new.token_hash := coalesce(new.token_hash, sha256(convert_to(new.token, 'UTF8')));
  return new;
end $$;
create trigger hash_session_token before insert on sessions
  for each row execute function hash_session_token();

-- mailed_links: what waits in mailboxes. Looked up by the token, as sessions are; of it and of what
-- the link is for only a hash is kept.
create table mailed_links (
  token_hash bytea primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- what else was said when it was made: an address, a change of address, where to go
  detail text not null check (octet_length(detail) <= 4096),
  -- whether it ends when the account is signed out everywhere
  revocable boolean not null,
  expires_at timestamptz not null
);
create index mailed_links_account on mailed_links (account_id);
create index mailed_links_expires on mailed_links (expires_at);

-- passkey_challenges: what a browser has to sign within some minutes. Found by the browser's cookie,
-- of which only a hash is kept.
create table passkey_challenges (
  token_hash bytea primary key,
  -- who adds a passkey; null for a sign-in
  account_id uuid references accounts (id) on delete cascade,
  challenge text not null check (octet_length(challenge) <= 200),
  expires_at timestamptz not null
);
create index passkey_challenges_account on passkey_challenges (account_id);
create index passkey_challenges_expires on passkey_challenges (expires_at);

-- verifications: links and challenges of the version before, which goes on writing and reading them
-- while it runs. They are copied, and what is used or withdrawn on one side is gone on the other.
create function copy_verification() returns trigger language plpgsql as $$
declare
  hash bytea;
begin
  if new.identifier !~ '^[A-Za-z0-9_-]{43}$' then return null; end if;
  hash := decode(translate(new.identifier, '-_', '+/') || '=', 'base64');
  if new.value like '{%' then
    insert into passkey_challenges (token_hash, account_id, challenge, expires_at)
    select hash, a.id, v.challenge, new.expires_at
    from (
      select new.value::jsonb ->> 'type' as type, new.value::jsonb ->> 'expectedChallenge' as challenge,
        new.value::jsonb -> 'userData' ->> 'id' as owner
    ) v
    left join accounts a on v.type = 'registration' and a.id::text = v.owner
    where v.challenge is not null and (v.type = 'authentication' or a.id is not null)
    on conflict do nothing;
  else
    insert into mailed_links (token_hash, account_id, detail, revocable, expires_at)
    select hash, a.id, substr(v.content, 37), not new.value like '+%', new.expires_at
    from (select ltrim(new.value, '+') as content) v
    join accounts a on a.id::text = left(v.content, 36)
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger copy_verification after insert or update on verifications
  for each row execute function copy_verification();

create function forget_verification() returns trigger language plpgsql as $$
declare
  hash bytea;
begin
  if tg_table_name = 'verifications' then
    if old.identifier ~ '^[A-Za-z0-9_-]{43}$' then
      hash := decode(translate(old.identifier, '-_', '+/') || '=', 'base64');
      delete from mailed_links where token_hash = hash;
      delete from passkey_challenges where token_hash = hash;
    end if;
  else
    delete from verifications
    where identifier = rtrim(translate(encode(old.token_hash, 'base64'), '+/', '-_'), '=');
  end if;
  return null;
end $$;
create trigger forget_verification after delete on verifications
  for each row execute function forget_verification();
create trigger forget_verification after delete on mailed_links
  for each row execute function forget_verification();
create trigger forget_verification after delete on passkey_challenges
  for each row execute function forget_verification();

-- Links that are mailed here while the version before runs are good there, too, and withdrawn from there.
create function show_link_to_former_version() returns trigger language plpgsql as $$
begin
  insert into verifications (id, identifier, value, expires_at)
  select gen_random_uuid(), rtrim(translate(encode(new.token_hash, 'base64'), '+/', '-_'), '='),
    case when new.revocable then '' else '+' end || new.account_id || new.detail, new.expires_at
  from installation where former_version_until > now()
  on conflict do nothing;
  return null;
end $$;
-- Not for what was just copied from there.
create trigger show_link_to_former_version after insert on mailed_links
  for each row when (pg_trigger_depth() = 0) execute function show_link_to_former_version();
