-- When it was made from an archive; null: by its owner.
alter table albums add column imported_at timestamptz;

-- An album can be reported, and its words removed.
alter table moderation_cases drop constraint moderation_cases_subject_check;
alter table moderation_cases add constraint moderation_cases_subject_check
  check (subject in ('account', 'post', 'comment', 'message', 'album'));
alter table verdicts drop constraint verdicts_act_check;
alter table verdicts add constraint verdicts_act_check
  check (act in ('dismiss', 'warn', 'clear-words', 'take-down', 'suspend'));
alter table moderation_log drop constraint moderation_log_act_check;
alter table moderation_log add constraint moderation_log_act_check
  check (act in
    ('dismiss', 'warn', 'clear-words', 'take-down', 'suspend', 'answer', 'kept', 'lifted', 'restore', 'role-given', 'role-taken'));

-- The release before knows no albums: it would say that one is gone, and leave it.
create function refuse_album_left_there() returns trigger language plpgsql as $$
begin
  if exists (
    select from moderation_cases c
    join albums al on al.owner_id = c.account_id and al.id = c.subject_id
    where c.account_id = new.account_id and c.id = new.case_id and c.subject = 'album'
  ) then
    raise exception 'this album is not taken down' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger verdicts_take_albums_down before insert on verdicts
  for each row when (new.taken_down) execute function refuse_album_left_there();
