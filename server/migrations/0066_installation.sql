-- What belongs to the installation as a whole, whichever of its servers starts: one row.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- of the secrets this database is used with; a server with others does not start
  secrets_hash bytea,
  -- the DATA_DIR that has the pictures, where they are kept on a disk
  pictures_id uuid
);
insert into installation default values;
