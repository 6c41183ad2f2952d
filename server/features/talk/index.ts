// What goes between members: messages, notifications, and the streams that carry both.
export { addressesInChatId } from "#server/features/talk/chat/chat-ids.ts";
export { createChat, type Chat } from "#server/features/talk/chat/chat.ts";
export {
  createImportedConversations,
  type NewImportedMessage,
  type ImportedConversations,
} from "#server/features/talk/chat/imported-conversations.ts";
export { messageImageKeysInUse } from "#server/features/talk/chat/message-images.queries.ts";
export { unreadConversations } from "#server/features/talk/chat/unread.queries.ts";
export type { AppEvent, Listener } from "#server/features/talk/live/app-events.ts";
export {
  mostAppStreams,
  mostSubscriptions,
  type AppOutlet,
  type AppStream,
  type Channel,
  type AppStreamEvent,
} from "#server/features/talk/live/app-streams.ts";
export { createLive } from "#server/features/talk/live/live.ts";
export type { Outlet } from "#server/features/talk/live/streams.ts";
export {
  alertOf,
  appAlerts,
  enqueueAppPush,
  createAppPush,
  type AppPush,
} from "#server/features/talk/notifications/app-push.ts";
export { describeIn } from "#server/features/talk/notifications/describe-in.ts";
export { createDigest } from "#server/features/talk/notifications/digest.ts";
export {
  createNotifications,
  type Notices,
} from "#server/features/talk/notifications/notifications.ts";
export type { NotificationAct } from "#server/features/talk/notifications/acts.queries.ts";
export { createPush, enqueuePush } from "#server/features/talk/notifications/push.ts";
export { readSettings } from "#server/features/talk/notifications/settings.queries.ts";
export { unreadNotifications } from "#server/features/talk/notifications/unread.queries.ts";
