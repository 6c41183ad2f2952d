-- The album that an upload was begun for, and that alone may use the image made of it: such uploads count against
-- bounds of their own (docs/decisions/0249). No foreign keys: an album may go first.
alter table uploads add column album_id uuid;
alter table images add column album_id uuid;

-- Who added how much lately, for the notification of a day.
create index album_items_by_addition on album_items (owner_id, album_id, added_at);
