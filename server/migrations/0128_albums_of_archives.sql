-- When it was made from an archive; null: by its owner.
alter table albums add column imported_at timestamptz;
