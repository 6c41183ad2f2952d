-- Whether a conversation has something new for a member, kept with the message that makes it so and
-- with the mark that ends it: every request counts it in the look-up of its session, and must not go
-- through all conversations for that.
alter table conversation_members add column unread boolean not null default false;
update conversation_members own set unread = true
from conversations c
where c.id = own.conversation_id and c.last_seq > own.read_seq;
create index conversation_members_unread on conversation_members (account_id, conversation_id)
  where unread and not muted;
