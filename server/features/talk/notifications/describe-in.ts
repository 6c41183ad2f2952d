import { messagesIn, speaking } from "#server/platform/messages.ts";
import { describe, type NotificationView } from "#shared/notifications.ts";

/** A notification in a sentence: "Ana and Bob liked your photo". */
export const describeIn = (language: string, view: NotificationView): string =>
  describe(view, { messages: messagesIn(language, "pushes.json"), ...speaking(language) });
