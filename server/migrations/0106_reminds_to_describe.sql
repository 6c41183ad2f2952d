-- Photos are asked about only where a member switched that on. Nobody had to until now, so nobody keeps it.
-- A new column rather than an update, which would write every account anew; the release before goes on with
-- alt_reminder, which nothing of ours reads any more.
alter table accounts add column reminds_to_describe boolean not null default false;
