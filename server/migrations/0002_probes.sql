-- One row by its whole key must cost one index probe, whatever the rest of its owner's rows are.
-- Where two indexes begin alike and statistics promise about one row for that beginning, PostgreSQL
-- takes either of them, and one that does not go on with the key reads all the likes of a famous
-- post to find the viewer's. See docs/decisions/0021.

-- Keys of clients are for submits sent again only: partial, no other query can take these indexes.
alter table posts drop constraint posts_client_key;
create unique index posts_client_key on posts (author_id, client_key)
  where client_key is not null;
alter table comments drop constraint comments_client_key;
create unique index comments_client_key on comments (author_id, post_id, account_id, client_key)
  where client_key is not null;

-- With the account it has the whole key of a bookmark, as the primary key does.
drop index bookmarks_by_post;
create index bookmarks_by_post on bookmarks (author_id, post_id, account_id);

-- Search: usernames by their beginning; names by what they contain, at the same price the moment
-- after many signed up (a pending list would be read whole by every search).
create index accounts_username_prefix on accounts (username text_pattern_ops);
alter index accounts_search_trgm set (fastupdate = off);
alter index accounts_email_trgm set (fastupdate = off);

-- Most people post and follow little and some a lot: plan for those (at least 20 rows an owner).
alter table posts alter column author_id set (n_distinct = -0.05);
alter table post_pictures alter column author_id set (n_distinct = -0.05);
alter table follows alter column follower_id set (n_distinct = -0.05);
alter table followers alter column followee_id set (n_distinct = -0.05);
