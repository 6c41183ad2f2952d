-- backup_folders: what the last look into a folder of backups found. The process that looks
-- (server/backup/look-program.ts) writes it, and may hang with the disk; everybody else reads this row and
-- never touches the folder (docs/decisions/0229). Servers that call their folder the same share a row.
create table backup_folders (
  path text primary key check (octet_length(path) <= 4096),
  -- this installation has backups there: without its mark, another disk or none is mounted
  is_ours boolean not null default false,
  -- a look is under way, or hangs, while this is later than looked_at
  look_began_at timestamptz,
  looked_at timestamptz,
  state text not null default 'ready' check (state in ('ready', 'unmarked', 'unreadable')),
  -- the newest ones, as operators see them
  backups jsonb not null default '[]'
);
