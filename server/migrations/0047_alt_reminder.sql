-- Whether a member is asked before photos without a description are posted.
alter table accounts add column alt_reminder boolean not null default true;
