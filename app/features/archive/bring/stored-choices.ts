import type { Audience } from "#shared/posts.ts";
import type { Kept } from "#app/features/archive/bring/post-to-send.ts";
import { importsDatabase, isBrowserDataCleared } from "#app/lib/browser-data.ts";
import { finished, withIndexedDb } from "#app/lib/indexed-db.ts";

/** What a member chose for an import that is not at its end; the file itself is chosen again. */
export type StoredChoices = {
  accountId: string;
  importId: string;
  /** keys of the chosen posts */
  chosen: string[];
  audience: Audience;
  kept: Kept;
  showNewest: boolean;
};

const choices = "choices";

const schema = {
  name: importsDatabase,
  version: 1,
  upgrade: (database: IDBDatabase) => {
    database.createObjectStore(choices, { keyPath: "accountId" });
  },
};

const inStore = <Result>(work: (store: IDBObjectStore) => Promise<Result>) =>
  withIndexedDb(schema, [choices], "readwrite", (transaction) =>
    work(transaction.objectStore(choices)),
  );

/** Choices of this browser: after a reload an import goes on with them. Without room for them it is asked again. */
export const storedChoices = {
  keep: (chosen: StoredChoices): Promise<void> =>
    isBrowserDataCleared()
      ? Promise.resolve()
      : inStore(async (store) => void store.put(chosen)).catch(() => undefined),

  /** Of this import. */
  of: (accountId: string, importId: string): Promise<StoredChoices | null> =>
    inStore((store) => finished<StoredChoices | undefined>(store.get(accountId)))
      .then((found) => (found?.importId === importId ? found : null))
      .catch(() => null),

  drop: (accountId: string): Promise<void> =>
    inStore(async (store) => store.delete(accountId)).then(
      () => undefined,
      () => undefined,
    ),
};
