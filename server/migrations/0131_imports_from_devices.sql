-- The posts of an export also come one by one from the device that read it (docs/decisions/0251). The release before
-- sees such an import as one that is being read: it starts no other, and undoes it when it is over.
alter table imports
  -- when a device last sent something for it; null: an archive that is read here
  add column device_seen_at timestamptz;
-- those that nobody goes on with
create index imports_left_alone on imports (device_seen_at) where state = 'waiting';

-- The import that an upload was begun for, and that alone may use the image made of it, as with albums (0126).
alter table uploads add column import_id uuid;
alter table images add column import_id uuid;
