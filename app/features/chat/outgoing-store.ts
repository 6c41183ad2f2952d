import type { Outgoing } from "#app/features/chat/outbox.ts";
import { finished, withIndexedDb } from "#app/lib/indexed-db.ts";
import { isBrowserDataCleared, messagesDatabase } from "#app/lib/browser-data.ts";

const store = "outgoing";

const schema = {
  name: messagesDatabase,
  version: 1,
  upgrade: (database: IDBDatabase) => {
    database.createObjectStore(store, { keyPath: "clientKey" });
  },
};

async function withStore<Result>(
  mode: IDBTransactionMode,
  work: (messages: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | null> {
  try {
    return await withIndexedDb(schema, [store], mode, (transaction) =>
      finished(work(transaction.objectStore(store))),
    );
  } catch {
    // Where the browser stores nothing, outgoing messages live as long as the page.
    return null;
  }
}

/** Outgoing messages, with their photos, in this browser's own database. */
export const outgoingStore = {
  put: async (message: Outgoing): Promise<boolean> =>
    !isBrowserDataCleared() &&
    (await withStore("readwrite", (messages) => messages.put(message))) !== null,
  drop: async (clientKey: string): Promise<void> => {
    await withStore("readwrite", (messages) => messages.delete(clientKey));
  },
  stateOf: async (clientKey: string): Promise<Outgoing["state"] | "gone" | null> => {
    const one = await withStore<Outgoing | undefined>("readonly", (messages) =>
      messages.get(clientKey),
    );
    return one === null ? null : (one?.state ?? "gone");
  },
  of: async (senderId: string, threadId: string): Promise<Outgoing[]> => {
    const all = await withStore<Outgoing[]>("readonly", (messages) => messages.getAll());
    return (all ?? []).filter((one) => one.senderId === senderId && one.threadId === threadId);
  },
};
