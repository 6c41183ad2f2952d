-- Deleting an account looked for it through all of follows and followers: each has a key that begins with
-- its own account and none that begins with the other, whose foreign key had to be searched by. That key
-- said twice what the mirror's says (docs/decisions/0178): a follow is a row of each table, written
-- together, and both accounts are named by the first column of one.

alter table follows drop constraint follows_followee_id_fkey;
alter table followers drop constraint followers_follower_id_fkey;
