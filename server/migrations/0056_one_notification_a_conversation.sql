-- A conversation stands once among somebody's notifications: the newest of it stays, acts by cascade.
delete from notifications n
where n.kind = 'message' and not n.unread and exists (
  select 1 from notifications newer
  where newer.account_id = n.account_id and newer.kind = 'message'
    and newer.subject_id = n.subject_id and newer.latest_id > n.latest_id
);

-- the read one that a new message takes the place of
create index notifications_read_messages on notifications (account_id, subject_id)
  where kind = 'message' and not unread;
