-- account_counters.photos: how many of the account's posts have a photo, for the tabs of its profile;
-- the others are words. Kept by triggers, in the transaction of the rows it counts: posts come and go in
-- several ways, an edit moves one from one tab to the other, and a server that has not been updated yet
-- counts as well. Whoever gives, takes or edits posts holds the row of counters already.
alter table account_counters
  add column photos integer not null default 0 check (photos >= 0);

create function count_photos() returns trigger language plpgsql as $$
begin
  update account_counters c
  set photos = c.photos + case when tg_op = 'INSERT' then a.n else -a.n end
  from (
    select author_id, count(*) as n from changed where picture_count > 0 group by author_id
  ) a
  where c.account_id = a.author_id;
  return null;
end $$;

create function move_between_tabs() returns trigger language plpgsql as $$
begin
  update account_counters set photos = photos + case when new.picture_count > 0 then 1 else -1 end
  where account_id = new.author_id;
  return null;
end $$;

create trigger posts_added after insert on posts
  referencing new table as changed for each statement execute function count_photos();
create trigger posts_removed after delete on posts
  referencing old table as changed for each statement execute function count_photos();
create trigger posts_moved after update of picture_count on posts
  for each row when ((old.picture_count > 0) <> (new.picture_count > 0))
  execute function move_between_tabs();

update account_counters c set photos = p.n
from (select author_id, count(*) as n from posts where picture_count > 0 group by author_id) p
where c.account_id = p.author_id;
