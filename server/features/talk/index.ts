// What goes between members: messages, notifications, and the streams that carry both.
export { addressesInChatId } from "#server/features/talk/chat/chat-ids.ts";
export { createChat, type Chat } from "#server/features/talk/chat/chat.ts";
export {
  createImportedThreads,
  type BroughtMessage,
  type ImportedThreads,
} from "#server/features/talk/chat/imported-threads.ts";
export { pictureKeysInUse } from "#server/features/talk/chat/message-pictures.queries.ts";
export { unreadConversations } from "#server/features/talk/chat/unread.queries.ts";
export type { AppNews, Hearer } from "#server/features/talk/live/app-news.ts";
export {
  mostAppStreams,
  mostSubscriptions,
  type AppOutlet,
  type AppStream,
  type Channel,
  type Told,
} from "#server/features/talk/live/app-streams.ts";
export { createLive } from "#server/features/talk/live/live.ts";
export type { Outlet } from "#server/features/talk/live/streams.ts";
export {
  alertOf,
  appAlerts,
  appPushLater,
  createAppPush,
  type AppPush,
} from "#server/features/talk/notifications/app-push.ts";
export { createDigest } from "#server/features/talk/notifications/digest.ts";
export {
  createNotifications,
  type Notices,
} from "#server/features/talk/notifications/notifications.ts";
export type { ToldAct } from "#server/features/talk/notifications/acts.queries.ts";
export { createPush, pushLater } from "#server/features/talk/notifications/push.ts";
export { readSettings } from "#server/features/talk/notifications/settings.queries.ts";
export { unreadNotifications } from "#server/features/talk/notifications/unread.queries.ts";
