import type { MessageView } from "#shared/views.ts";

/** A message in one line, as the list of conversations and screen readers show it. */
export function messagePreview({ body, picture, deleted }: Omit<MessageView, "clientKey">): string {
  if (deleted) return "Message deleted";
  const words = body.replace(/\s+/gu, " ").slice(0, 300);
  if (!picture) return words;
  return words ? `Photo: ${words}` : "Photo";
}
