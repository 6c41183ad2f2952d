import type { Outgoing } from "#app/features/chat/outbox.ts";
import { browserDatabase, finished } from "#app/lib/indexed-db.ts";
import { isBrowserDataCleared, messagesDatabase } from "#app/lib/browser-data.ts";

const inDatabase = browserDatabase(messagesDatabase, { outgoing: { keyPath: "clientKey" } });

/** Where the browser stores nothing, outgoing messages live as long as the page. */
const withStore = <Result>(work: (messages: IDBObjectStore) => IDBRequest<Result>) =>
  inDatabase(({ outgoing }) => finished(work(outgoing))).catch(() => null);

/** Outgoing messages, with their photos, in this browser's own database. */
export const outgoingStore = {
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
