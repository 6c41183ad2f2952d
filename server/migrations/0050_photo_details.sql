-- What a camera wrote into a photo: kept as data, never served in its files, shown where its author
-- wants it. Null: nothing, or not looked at.
alter table images
  add column camera jsonb check (octet_length(camera::text) <= 2000),
  -- Where it was taken, in hundredths of a degree, about a kilometre: a finer place than that cannot be
  -- held. Of a photo in use only where its post shows it.
  add column latitude smallint check (latitude between -9000 and 9000),
  add column longitude smallint check (longitude between -18000 and 18000),
  add constraint images_place check ((latitude is null) = (longitude is null));

alter table posts
  add column show_camera boolean not null default false,
  add column show_place boolean not null default false;

-- What the composer proposes; where a photo was taken is never proposed.
alter table accounts add column show_camera boolean not null default false;
