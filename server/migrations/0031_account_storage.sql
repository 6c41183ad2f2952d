-- account_storage: bytes of the originals of all pictures that an account keeps here: of posts and
-- profile, of messages it sent, of messages it brought along. Kept by triggers, in the transaction
-- of the rows it counts, since many statements delete pictures, cascades among them. Apart from
-- account_counters: an upload shall not wait for who is just being followed.
create table account_storage (
  account_id uuid primary key references accounts (id) on delete cascade,
  bytes bigint not null default 0 check (bytes >= 0),
  -- what the operator allows this account; null: what the installation allows everybody
  quota bigint check (quota >= 0)
) with (fillfactor = 70);

-- Whose picture a message has: its sender's.
alter table message_pictures add column account_id uuid;
update message_pictures p set account_id = m.sender_id
from messages m
where m.conversation_id = p.conversation_id and m.seq = p.seq;
alter table message_pictures alter column account_id set not null;
create index message_pictures_account on message_pictures (account_id);

create function add_to_storage() returns trigger language plpgsql as $$
begin
  insert into account_storage as s (account_id, bytes)
  select account_id, sum(bytes) from added group by account_id order by account_id
  on conflict (account_id) do update set bytes = s.bytes + excluded.bytes;
  return null;
end $$;

-- In the order of the accounts, so that two statements never wait for each other.
create function take_from_storage() returns trigger language plpgsql as $$
begin
  perform from account_storage
  where account_id in (select account_id from removed)
  order by account_id
  for update;
  update account_storage s set bytes = s.bytes - r.bytes
  from (select account_id, sum(bytes) as bytes from removed group by account_id) r
  where s.account_id = r.account_id;
  return null;
end $$;

create trigger images_added after insert on images
  referencing new table as added for each statement execute function add_to_storage();
create trigger images_removed after delete on images
  referencing old table as removed for each statement execute function take_from_storage();
create trigger message_pictures_added after insert on message_pictures
  referencing new table as added for each statement execute function add_to_storage();
create trigger message_pictures_removed after delete on message_pictures
  referencing old table as removed for each statement execute function take_from_storage();
create trigger imported_pictures_added after insert on imported_pictures
  referencing new table as added for each statement execute function add_to_storage();
create trigger imported_pictures_removed after delete on imported_pictures
  referencing old table as removed for each statement execute function take_from_storage();

insert into account_storage (account_id, bytes)
select account_id, sum(bytes)
from (
  select account_id, bytes from images
  union all
  select account_id, bytes from message_pictures
  union all
  select account_id, bytes from imported_pictures
) kept
group by account_id;
