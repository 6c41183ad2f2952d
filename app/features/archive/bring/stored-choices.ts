import type { Audience } from "#shared/posts.ts";
import type { Kept } from "#app/features/archive/bring/send-post.ts";
import { importsDatabase, isBrowserDataCleared } from "#app/lib/browser-data.ts";
import { browserDatabase, finished } from "#app/lib/indexed-db.ts";

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

const inDatabase = browserDatabase(importsDatabase, { choices: { keyPath: "accountId" } });

/** Choices of this browser: after a reload an import goes on with them. Without room for them it is asked again. */
export const storedChoices = {
  keep: (chosen: StoredChoices): Promise<void> =>
    isBrowserDataCleared()
      ? Promise.resolve()
      : inDatabase(async ({ choices }) => void choices.put(chosen)).catch(() => undefined),

  /** Of this import. */
  of: (accountId: string, importId: string): Promise<StoredChoices | null> =>
    inDatabase(({ choices }) => finished<StoredChoices | undefined>(choices.get(accountId)))
      .then((found) => (found?.importId === importId ? found : null))
      .catch(() => null),

  drop: (accountId: string): Promise<void> =>
    inDatabase(async ({ choices }) => void choices.delete(accountId)).catch(() => undefined),
};
