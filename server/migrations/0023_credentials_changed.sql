-- When the credentials of an account last changed (password, second step), or it was signed out
-- everywhere: what was given out before, such as the cookies of known devices, counts no more.
alter table accounts add column credentials_changed_at timestamptz not null default now();
