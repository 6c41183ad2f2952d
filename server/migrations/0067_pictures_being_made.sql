-- uploads: until when some process is making the picture of it. It says so again while it is at it, so
-- that the others leave it alone, and take over soon after it died.
alter table uploads add column making_until timestamptz;
