/** A database of this browser. */
type BrowserDatabase = { name: string; version: number; upgrade: (database: IDBDatabase) => void };

function open({ name, version, upgrade }: BrowserDatabase): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version);
  request.addEventListener("upgradeneeded", () => upgrade(request.result));
  return finished(request);
}

export function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("No storage")));
  });
}

/** Resolves when the written data would survive a crash of the page. */
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new Error("Not stored")),
    );
  });
}

/**
 * Works in one transaction over `stores`. The database is opened and closed each time, so that signing out
 * in another tab never waits for this one. `work` awaits nothing but its own requests.
 * @throws the browser's error: nothing can be stored here, or nothing more (QuotaExceededError)
 */
export async function withIndexedDb<Result>(
  description: BrowserDatabase,
  stores: string[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  const database = await open(description);
  try {
    const transaction = database.transaction(stores, mode);
    const over = committed(transaction);
    over.catch(() => undefined);
    const result = await work(transaction).catch(async (error: unknown) => {
      // Only the transaction says why it was aborted.
      await over;
      throw error;
    });
    await over;
    return result;
  } finally {
    database.close();
  }
}
