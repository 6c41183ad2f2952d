-- mutes.ends_at: when a mute ends by itself; null for one that lasts until somebody ends it, as all did until now. A
-- mute that has ended counts no more and is deleted some time later. The release before takes it for one that lasts
-- until it is deleted, and writes mutes without an end.
alter table mutes add column ends_at timestamptz;
create index mutes_ending on mutes (ends_at) where ends_at is not null;
