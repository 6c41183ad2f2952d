import type { MessageView } from "#shared/views.ts";
import type { Outgoing } from "#app/features/chat/outbox.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { uploadWithProgress } from "#app/lib/forms/upload-with-progress.ts";

/** A photo may take longer than a text, milliseconds. */
const timeout = 180_000;

/**
 * Sends a message to /api/chats. `onProgress` gets the fraction of its photo's bytes that are sent, 0 to 1.
 * @throws CallError with a sentence for people
 */
export function sendMessage(
  { senderId, chatId, body, clientKey, picture }: Outgoing,
  onProgress: (fraction: number) => void,
): Promise<MessageView> {
  const fields = { senderId, body, clientKey };
  const chat = `/api/chats/${chatId}`;
  return picture
    ? uploadWithProgress(`${chat}/photos`, { ...fields, image: picture }, { onProgress, timeout })
    : sendJson("POST", `${chat}/messages`, fields);
}
