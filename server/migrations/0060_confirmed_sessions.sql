-- sessions.confirmed_at: when the member last gave the password again in this session; null: not
-- yet, or not since the password was changed. Read by the session's key.
alter table sessions add column confirmed_at timestamptz;
