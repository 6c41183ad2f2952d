-- Animated pictures keep moving: how many frames one has (null: a still), and how wide the WebP is, in
-- pixels, that has all of them. Null with frames: it was too long or too heavy, and is shown still.
alter table images
  add column frames integer check (frames > 1),
  add column moving_width integer check (moving_width > 0),
  add constraint images_moving check (moving_width is null or frames is not null);
