import { useEffect, useState } from "react";
import type { MessageView } from "#shared/views.ts";
import { createOutbox, type Outgoing } from "#app/features/chat/outbox.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { isBrowserDataCleared, messagesDatabase } from "#app/lib/browser-data.ts";
import { uploadWithProgress } from "#app/lib/forms/upload-with-progress.ts";
import { browserDatabase, finished } from "#app/lib/indexed-db.ts";
import { onLiveGap } from "#app/lib/live/live.ts";

/** A photo may take longer than a text, milliseconds. */
const timeout = 180_000;

/**
 * Sends a message to /api/chats. `onProgress` gets the fraction of its photo's bytes that are sent, 0 to 1.
 * @throws CallError with a sentence for people
 */
function sendMessage(
  { senderId, chatId, body, clientKey, picture }: Outgoing,
  onProgress: (fraction: number) => void,
): Promise<MessageView> {
  const fields = { senderId, body, clientKey };
  const chat = `/api/chats/${chatId}`;
  return picture
    ? uploadWithProgress(`${chat}/photos`, { ...fields, image: picture }, { onProgress, timeout })
    : sendJson("POST", `${chat}/messages`, fields);
}

const inDatabase = browserDatabase(messagesDatabase, { outgoing: { keyPath: "clientKey" } });

/** Where the browser stores nothing, outgoing messages live as long as the page. */
const withStore = <Result>(work: (messages: IDBObjectStore) => IDBRequest<Result>) =>
  inDatabase(({ outgoing }) => finished(work(outgoing))).catch(() => null);

/** Outgoing messages, with their photos, in this browser's own database. */
const outgoingStore = {
  put: async (message: Outgoing): Promise<boolean> =>
    !isBrowserDataCleared() && (await withStore((messages) => messages.put(message))) !== null,
  drop: async (clientKey: string): Promise<void> => {
    await withStore((messages) => messages.delete(clientKey));
  },
  stateOf: async (clientKey: string): Promise<Outgoing["state"] | "gone" | null> => {
    const one = await withStore<Outgoing | undefined>((messages) => messages.get(clientKey));
    return one === null ? null : (one?.state ?? "gone");
  },
  of: async (senderId: string, threadId: string): Promise<Outgoing[]> => {
    const all = await withStore<Outgoing[]>((messages) => messages.getAll());
    return (all ?? []).filter((one) => one.senderId === senderId && one.threadId === threadId);
  },
};

/** The browser says that it is online, the stream is back, or `ms` have passed. */
function untilConnected(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const done = () => {
      stop.abort();
      stopListening();
      clearTimeout(timer);
      resolve();
    };
    const stopListening = onLiveGap(done);
    window.addEventListener("online", done, { signal: stop.signal });
    const timer = navigator.onLine ? setTimeout(done, ms) : undefined;
  });
}

/** Outside of React: messages are sent while their writer is on other pages. */
export const outbox = createOutbox({
  send: sendMessage,
  store: outgoingStore,
  pause: untilConnected,
  onLine: () => navigator.onLine,
});

/** The outgoing messages of a conversation, oldest first. */
export function useOutgoing(senderId: string, threadId: string): Outgoing[] {
  const [all, setAll] = useState<readonly Outgoing[]>([]);
  useEffect(() => {
    // Not an external store: a delivered message must replace its outgoing one in the same render.
    const read = () => setAll(outbox.all());
    read();
    void outbox.restore(senderId, threadId);
    return outbox.subscribe(read);
  }, [senderId, threadId]);
  return all.filter((one) => one.senderId === senderId && one.threadId === threadId);
}
