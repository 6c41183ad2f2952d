function open(
  name: string,
  stores: Record<string, IDBObjectStoreParameters>,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => {
    for (const [store, keys] of Object.entries(stores)) {
      request.result.createObjectStore(store, keys);
    }
  });
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
 * A database of this browser, by its name and its stores. What is returned works in one transaction over all
 * of them. The database is opened and closed each time, so that signing out in another tab never waits for
 * this one. `work` awaits nothing but its own requests.
 * @throws the browser's error: nothing can be stored here, or nothing more (QuotaExceededError)
 */
export function browserDatabase<Store extends string>(
  name: string,
  stores: Record<Store, IDBObjectStoreParameters>,
) {
  const names = Object.keys(stores) as Store[];
  return async <Result>(
    work: (stores: Record<Store, IDBObjectStore>) => Promise<Result>,
  ): Promise<Result> => {
    const database = await open(name, stores);
    try {
      const transaction = database.transaction(names, "readwrite");
      const over = committed(transaction);
      over.catch(() => undefined);
      const each = names.map((store) => [store, transaction.objectStore(store)]);
      const result = await work(Object.fromEntries(each) as Record<Store, IDBObjectStore>).catch(
        async (error: unknown) => {
          // Only the transaction says why it was aborted.
          await over;
          throw error;
        },
      );
      await over;
      return result;
    } finally {
      database.close();
    }
  };
}
