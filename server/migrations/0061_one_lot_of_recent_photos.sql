-- Who posted photos lately is read from recent_photos (0052), which is kept for the front page anyway.
-- Nothing reads this index over all posts any more, and every photo post paid for it.
drop index posts_newest_photos;
