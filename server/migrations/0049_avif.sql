-- The widths in which a picture is kept as AVIF beside its WebP, ascending, pixels; empty where that
-- was not worth it, null where nobody looked yet.
alter table images add column avif_widths integer[];
create index images_without_avif on images (claimed_at) where avif_widths is null;
