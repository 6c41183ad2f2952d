import type { MessageView } from "#shared/views.ts";
import type { Outgoing } from "#app/features/chat/outbox.ts";
import { formWith, postWithProgress } from "#app/lib/forms/post-with-progress.ts";

/** A stalled request fails like a broken one, milliseconds; a photo may take longer. */
const timeoutMs = { text: 20_000, photo: 180_000 };

/**
 * Sends a message to /api/chats. `onProgress` gets the fraction of the bytes sent, 0 to 1.
 * @throws CallError with a sentence for people
 */
export function sendMessage(
  { senderId, chatId, body, clientKey, picture }: Outgoing,
  onProgress: (fraction: number) => void,
): Promise<MessageView> {
  const fields = { senderId, body, clientKey };
  return postWithProgress<MessageView>(
    `/api/chats/${chatId}/${picture ? "photos" : "messages"}`,
    picture ? formWith({ ...fields, image: picture }) : JSON.stringify(fields),
    { onProgress, timeoutMs: picture ? timeoutMs.photo : timeoutMs.text },
  );
}
