-- What somebody says is worth looking at in their picture, from the middle: right and up, -1 to 1 each
-- (docs/decisions/0217). Null: nobody said, and `focus` is what we found. Where it is said, `focus` follows it.
alter table images
  add column focal_x real check (focal_x between -1 and 1),
  add column focal_y real check (focal_y between -1 and 1),
  add constraint images_focal_point check ((focal_x is null) = (focal_y is null));
