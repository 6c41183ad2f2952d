-- Where reads may go to a replica (DATABASE_READ_URL): how far it must have replayed the log of writes that it
-- may be read. Nobody without a replica writes them.
-- by the member of the session, who sees what they wrote
alter table sessions add column read_after pg_lsn;
-- by anybody, who sees what was deleted, blocked, posted
alter table installation add column read_after pg_lsn;
