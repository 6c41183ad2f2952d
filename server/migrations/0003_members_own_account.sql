-- A member changes the username once in 30 days; null until the first change.
alter table accounts add column username_changed_at timestamptz;

-- A backstop: shown as a link, it must never be one that runs a script.
alter table accounts add constraint accounts_website check (website = '' or website ~ '^https?://');

-- email_searches: which different queries a member or a visitor's network compared with emails in
-- the last hour. One small row each, so that the count is one statement and cannot be overrun by
-- many at once. Both sides are keyed hashes: the table names neither people nor what they look for.
create table email_searches (
  subject text primary key,
  -- hash of a query → when it was first asked, epoch milliseconds
  queries jsonb not null,
  -- the newest query is out of the hour: the row may go
  expires_at timestamptz not null
) with (fillfactor = 50);
create index email_searches_expired on email_searches (expires_at);
