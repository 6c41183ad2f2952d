-- username_kept_at: when a member said that the username made from their name is to stay, so that nobody offers
-- to change it again. Null for everybody until now; the release before neither reads nor writes it.
alter table accounts add column username_kept_at timestamptz;
