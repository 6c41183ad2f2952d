-- troubles: what operators are told of (docs/decisions/0230). One row from its beginning to its end.
create table troubles (
  id uuid primary key,
  kind text not null check (octet_length(kind) <= 40),
  -- the folder, with the machine where each has its own
  place text not null check (octet_length(place) <= 5000),
  -- what is wrong and what to do, as it was seen last
  said text not null check (octet_length(said) <= 4000),
  -- what was said when it ended
  recovery text check (octet_length(recovery) <= 4000),
  began_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  told_at timestamptz not null default now(),
  ended_at timestamptz
);
-- of several servers that see the same, one tells
create unique index troubles_open on troubles (kind, place) where ended_at is null;
create index troubles_ended on troubles (ended_at) where ended_at is not null;

-- backup_runs: what became of the last try to take a backup into a folder, written by the process that
-- tried. What lies in the folder is known by looks into it (backup_folders).
create table backup_runs (
  folder text primary key check (octet_length(folder) <= 5000),
  -- since when the servers know of the folder: before that none was due
  known_since timestamptz not null default now(),
  -- why the last try took none; empty: it took one
  failure text not null default '' check (octet_length(failure) <= 4000),
  -- files of the store of pictures that are not what they were, named as in DATA_DIR
  rotten text[] not null default '{}',
  free_bytes bigint,
  disk_bytes bigint
);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in (
    'follow', 'like', 'comment', 'mention', 'message', 'alt', 'report', 'verdict', 'trouble', 'recovery'
  ));
