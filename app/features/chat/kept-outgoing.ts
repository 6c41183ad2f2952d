import type { Outgoing } from "#app/features/chat/outbox.ts";
import { keptMessagesDatabase } from "#app/lib/forms/kept-messages.ts";

const store = "outgoing";

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(keptMessagesDatabase, 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(store, { keyPath: "clientKey" });
  });
  return finished(request);
}

function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("No storage")));
  });
}

/** Opened and closed each time, so that signing out in another tab never waits for this one. */
async function withStore<Result>(
  mode: IDBTransactionMode,
  work: (messages: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | null> {
  try {
    const database = await open();
    try {
      return await finished(work(database.transaction(store, mode).objectStore(store)));
    } finally {
      database.close();
    }
  } catch {
    // A browser that stores nothing keeps what is on its way as long as its page.
    return null;
  }
}

/** Messages on their way, with their pictures, in this browser's own database. */
export const keptOutgoing = {
  put: async (message: Outgoing): Promise<void> => {
    await withStore("readwrite", (messages) => messages.put(message));
  },
  drop: async (clientKey: string): Promise<void> => {
    await withStore("readwrite", (messages) => messages.delete(clientKey));
  },
  of: async (senderId: string, threadId: string): Promise<Outgoing[]> => {
    const all = await withStore<Outgoing[]>("readonly", (messages) => messages.getAll());
    return (all ?? []).filter((one) => one.senderId === senderId && one.threadId === threadId);
  },
};
