-- A suspension may have an end, after which the account comes back by itself. Null: none is set.
alter table accounts add column suspended_until timestamptz;
create index accounts_suspended_until on accounts (suspended_until) where suspended_until is not null;
-- who is told of a new report
create index accounts_moderators on accounts (id) where role = 'moderator';

-- moderation_cases: something that members reported, one row for all reports of it until it is
-- decided. It belongs to the account whose post, comment or message that is.
create table moderation_cases (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  subject text not null check (subject in ('account', 'post', 'comment', 'message')),
  -- id of the account, post, comment or message; another owner's at times, and it may go: no foreign key
  subject_id uuid not null,
  -- the post that it is, or stands under
  author_id uuid,
  post_id uuid,
  -- of a message: where it stands
  conversation_id uuid,
  seq integer,
  -- what it said when it was reported first
  said text not null default '',
  -- that and the pictures are still here; emptied some time after the case is closed
  has_copy boolean not null default true,
  -- of all reports, those of accounts that are gone too
  reports integer not null default 0,
  reasons text[] not null default '{}',
  -- answered: whoever a verdict is about has answered it, which is to be decided in turn
  state text not null default 'reported' check (state in ('reported', 'answered', 'closed')),
  -- the place in the queue: since when it waits
  waits_id uuid not null,
  closed_at timestamptz,
  primary key (account_id, id),
  constraint moderation_cases_closed_at check ((state = 'closed') = (closed_at is not null)),
  constraint moderation_cases_post check
    ((subject in ('post', 'comment')) = (author_id is not null and post_id is not null)),
  constraint moderation_cases_message check
    ((subject = 'message') = (conversation_id is not null and seq is not null))
);
-- the case that takes the next report of the same thing
create unique index moderation_cases_open on moderation_cases (subject, subject_id)
  where state = 'reported';
-- the queue
create unique index moderation_cases_waiting on moderation_cases (waits_id) where state <> 'closed';
-- one by its id alone: moderators' addresses name no account
create unique index moderation_cases_id on moderation_cases (id);
-- whose copies are to be emptied
create index moderation_cases_closed on moderation_cases (closed_at)
  where closed_at is not null and has_copy;

-- reports: who reported it, why, in which words. One of each reporter and case.
create table reports (
  reporter_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  account_id uuid not null,
  case_id uuid not null,
  reason text not null check
    (reason in ('spam', 'harassment', 'hate', 'sexual', 'violence', 'privacy', 'other')),
  words text not null check (octet_length(words) <= 16000),
  -- what it said then, where that is not what the case says
  said text,
  primary key (reporter_id, id),
  constraint reports_once unique (case_id, reporter_id),
  foreign key (account_id, case_id) references moderation_cases (account_id, id) on delete cascade
);
create index reports_by_case on reports (account_id, case_id, id);

-- case_pictures: how the pictures looked that were reported, small, for moderators alone: they stay
-- when their writer takes them away, and go when the case's copy is emptied.
create table case_pictures (
  account_id uuid not null,
  case_id uuid not null,
  -- the picture's key in its store
  key text not null,
  place integer not null,
  width integer not null,
  height integer not null,
  alt text not null default '',
  -- WebP
  bytes bytea not null check (octet_length(bytes) <= 2000000),
  primary key (account_id, case_id, key),
  foreign key (account_id, case_id) references moderation_cases (account_id, id) on delete cascade
);

-- verdicts: what moderators decided about a case, one each; its account reads the reason and may
-- answer once, which moderators decide in turn. A dismissal is not told to it.
create table verdicts (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  case_id uuid not null,
  act text not null check (act in ('dismiss', 'warn', 'take-down', 'suspend')),
  -- what was reported was taken down, by itself or with a suspension
  taken_down boolean not null,
  reason text not null check (octet_length(reason) between 1 and 16000),
  -- of a suspension that ends by itself
  until timestamptz,
  -- null: whoever runs the place, or a moderator who is gone. Nobody is told.
  moderator_id uuid references accounts (id) on delete set null,
  answer text check (octet_length(answer) between 1 and 16000),
  answered_at timestamptz,
  outcome text check (outcome in ('kept', 'lifted')),
  outcome_reason text check (octet_length(outcome_reason) between 1 and 16000),
  outcome_at timestamptz,
  primary key (account_id, id),
  constraint verdicts_once unique (account_id, case_id),
  constraint verdicts_until check (until is null or act = 'suspend'),
  constraint verdicts_answer check
    ((answer is null) = (answered_at is null) and (answer is null or act <> 'dismiss')),
  constraint verdicts_outcome check (
    (outcome is null) = (outcome_at is null) and (outcome is null) = (outcome_reason is null)
    and (outcome is null or answer is not null)
  ),
  foreign key (account_id, case_id) references moderation_cases (account_id, id) on delete cascade
);
create index verdicts_by_moderator on verdicts (moderator_id) where moderator_id is not null;

-- moderation_log: who did what to whom, by ids alone, which name nobody once an account is gone. It
-- is only ever added to.
create table moderation_log (
  id uuid primary key,
  at timestamptz not null default now(),
  -- null: whoever runs the place
  actor_id uuid,
  account_id uuid not null,
  case_id uuid,
  act text not null check (act in
    ('dismiss', 'warn', 'take-down', 'suspend', 'answer', 'kept', 'lifted', 'restore', 'role-given', 'role-taken')),
  subject text,
  subject_id uuid,
  until timestamptz
);
create function refuse_changed_log() returns trigger language plpgsql as $$
begin
  raise exception 'the moderation log is only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger moderation_log_is_final before update or delete or truncate on moderation_log
  for each statement execute function refuse_changed_log();

-- report: something waits for moderators; verdict: moderators decided about the account
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('follow', 'like', 'comment', 'mention', 'message', 'alt', 'report', 'verdict'));
