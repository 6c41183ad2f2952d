import type { MessageView } from "#shared/views.ts";
import type { Outgoing } from "#app/features/chat/outbox.ts";
import { toCallError } from "#app/lib/api-client.ts";

/** A stalled request fails like a broken one, milliseconds; a photo may take longer. */
const timeoutMs = { text: 20_000, photo: 180_000 };

/**
 * Sends a message to /api/chats. By XMLHttpRequest, because fetch reports no upload progress. `onProgress`
 * gets the fraction of the bytes sent, 0 to 1.
 * @throws CallError with a sentence for people
 */
export function sendMessage(
  { senderId, chatId, body, clientKey, picture }: Outgoing,
  onProgress: (fraction: number) => void,
): Promise<MessageView> {
  const fields = { senderId, body, clientKey };
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/chats/${chatId}/${picture ? "photos" : "messages"}`);
    request.responseType = "json";
    request.timeout = picture ? timeoutMs.photo : timeoutMs.text;
    request.setRequestHeader("Accept", "application/json");
    if (picture) {
      request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
    }
    request.addEventListener("load", () => {
      const answer = request.response as MessageView | null;
      if (request.status < 300 && answer?.id) resolve(answer);
      else reject(toCallError(request.status, answer));
    });
    for (const lost of ["error", "timeout", "abort"]) {
      request.addEventListener(lost, () => reject(toCallError(0, null)));
    }
    if (picture) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("image", picture);
      request.send(form);
    } else {
      request.setRequestHeader("Content-Type", "application/json");
      request.send(JSON.stringify(fields));
    }
  });
}
