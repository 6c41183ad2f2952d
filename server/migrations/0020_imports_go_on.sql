-- An import works in turns: once its archive was looked through, each run goes on where the last one
-- ended (docs/decisions/0120).
alter table imports add column checked boolean not null default false;
