-- How far a replica must have replayed the log of writes that anybody may read it: the largest here
-- (docs/decisions/0212). A row for each of 16 groups of connections, so that those who post do not wait for
-- one another; installation.read_after was one row for all.
create table read_floors (
  slot smallint primary key check (slot between 0 and 15),
  read_after pg_lsn
);
