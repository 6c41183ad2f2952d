-- backup_folders.continuous: the newest continuous backup in that folder, as operators see it. Null: there is none,
-- as before; the release before neither reads nor writes it.
alter table backup_folders add column continuous jsonb;
