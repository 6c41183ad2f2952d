-- One's own posts in the home feeds of apps. By the primary key, all that somebody brought along and sent into albums
-- would be read before they are filled.
create index posts_in_feeds on posts (author_id, id) where album_id is null and imported_at is null;
