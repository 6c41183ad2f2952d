-- Photos are asked about only where a member switched that on. Nobody had to until now, so nobody keeps it.
-- A new column rather than an update: no row is written anew.
alter table accounts drop column alt_reminder;
alter table accounts add column alt_reminder boolean not null default false;
