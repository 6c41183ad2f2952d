-- newcomers_storage: bytes that the accounts that joined on one day (of UTC, since 1970) keep here, of pictures
-- and of uploads that are none yet, while they are newcomers: all of them together may take a share of the disk.
-- Kept by triggers like account_storage, and with its numbers. A row a day, read by the last eight.
create table newcomers_storage (
  joined_day integer primary key,
  bytes bigint not null default 0
) with (fillfactor = 70);

-- The day an account joined, as its id says it.
create function joined_day(account uuid) returns integer language sql immutable parallel safe as $$
  select (('x' || left(replace(account::text, '-', ''), 12))::bit(48)::bigint / 86400000)::integer
$$;

-- Members of longer standing change nothing here, and wait for nobody.
create function count_newcomer(account uuid, change bigint) returns void language plpgsql as $$
begin
  if change = 0 or joined_day(account) < extract(epoch from now())::bigint / 86400 - 7 then
    return;
  end if;
  insert into newcomers_storage as n (joined_day, bytes) values (joined_day(account), change)
  on conflict (joined_day) do update set bytes = n.bytes + change;
end $$;

create function count_newcomers_pictures() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform count_newcomer(old.account_id, -old.bytes);
  elsif tg_op = 'INSERT' then
    perform count_newcomer(new.account_id, new.bytes);
  else
    perform count_newcomer(new.account_id, new.bytes - old.bytes);
  end if;
  return null;
end $$;
create trigger newcomers_pictures after insert or delete or update of bytes on account_storage
  for each row execute function count_newcomers_pictures();

-- An upload holds its room from its beginning until it is a picture, is refused or given up.
create function count_newcomers_uploads() returns trigger language plpgsql as $$
declare
  account uuid := case when tg_op = 'DELETE' then old.account_id else new.account_id end;
  change bigint := 0;
begin
  if tg_op <> 'INSERT' and old.image_id is null and old.refused is null then
    change := change - old.bytes;
  end if;
  if tg_op <> 'DELETE' and new.image_id is null and new.refused is null then
    change := change + new.bytes;
  end if;
  perform count_newcomer(account, change);
  return null;
end $$;
create trigger newcomers_uploads after insert or delete or update of image_id, refused on uploads
  for each row execute function count_newcomers_uploads();

insert into newcomers_storage (joined_day, bytes)
select joined_day(account_id), sum(bytes)
from (
  select account_id, bytes from account_storage
  union all
  select account_id, bytes from uploads where image_id is null and refused is null
) kept
where joined_day(account_id) >= extract(epoch from now())::bigint / 86400 - 7
group by 1;
