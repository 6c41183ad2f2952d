import type { Database } from "#server/db/database.ts";
import { checked, roomInWords } from "#server/features/operator/index.ts";
import * as queries from "#server/features/limits/storage/storage.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { StorageView, Viewer } from "#shared/views.ts";

/** How an account's own quota says that there is none. */
const unbounded = Number.MAX_SAFE_INTEGER;

/** How much room a member's pictures take, and how much they may. */
export function createStorage({ db }: { db: Database }) {
  async function read(accountId: string): Promise<StorageView> {
    const { bytes, own, setting } = await queries.readStorage(db, accountId);
    if (own === unbounded) return { bytes, quota: null };
    return { bytes, quota: own ?? checked("storage-per-member", setting) };
  }

  /**
   * Refuses with storage-full an account that has more than it may, or would have with `adding`
   * bytes more. Asked before a picture is read, and again in the transaction that wrote its row:
   * the count is locked there, so that many at once are counted one after the other.
   */
  async function check(accountId: string, adding = 0): Promise<void> {
    const { bytes, quota } = await read(accountId);
    if (quota === null || bytes + adding <= quota) return;
    throw refuse("storage-full", {
      message:
        `Your storage is full: you can use ${roomInWords(quota)}. ` +
        "Delete posts you no longer need, or ask whoever runs this Postcard for more space.",
    });
  }

  /** What the account of a session uses of its room. */
  const of = (viewer: Viewer) => read(viewer.id);

  /** For the operator: what one account may use, in bytes; null for as much as everybody. */
  const setQuota = (accountId: string, quota: number | "unlimited" | null) =>
    queries.writeQuota(db, accountId, quota === "unlimited" ? unbounded : quota);

  return { check, of, read, setQuota };
}

export type Storage = ReturnType<typeof createStorage>;
