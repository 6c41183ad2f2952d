-- backup_folders.continuous_drill: the result of the last drill of the newest continuous backup in that folder, as
-- operators see it. Null: there is none, as before. It takes the place of backup_folders.continuous, which the release
-- before still writes and nothing reads any more.
alter table backup_folders add column continuous_drill jsonb;
