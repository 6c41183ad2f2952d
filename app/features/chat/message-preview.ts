import type { MessageView } from "#shared/views.ts";
import * as words from "#messages/chat.json";
import { fill } from "#app/lib/text/messages.tsx";

/** A message in one line, as the list of conversations and screen readers show it. */
export function messagePreview({ body, picture, deleted }: Omit<MessageView, "clientKey">): string {
  if (deleted) return words.messageDeleted;
  const text = body.replace(/\s+/gu, " ").slice(0, 300);
  if (!picture) return text;
  // Isolated: its last sign would move to the other end of a sentence in the other direction.
  return text ? fill(words.photoWith, { text: `\u2068${text}\u2069` }) : words.photo;
}
