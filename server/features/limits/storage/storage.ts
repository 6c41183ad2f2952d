import type { Database } from "#server/db/database.ts";
import { timeOf } from "#server/db/ids.ts";
import { settingValue, formatQuota } from "#server/features/operator/index.ts";
import * as queries from "#server/features/limits/storage/storage.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { StorageView, Viewer } from "#shared/views.ts";

/** How an account's own quota says that there is none. */
const unbounded = Number.MAX_SAFE_INTEGER;

type Deps = {
  db: Database;
  /** free bytes of the disk that pictures lie on; null: they lie elsewhere */
  freeBytes: (() => Promise<number>) | null;
};

const dayMs = 24 * 60 * 60 * 1000;
/** How long a newcomer waits before trying again, seconds: an operator may have made room by then. */
const newcomersRetryAfter = 60 * 60;

/** How much room a member's pictures take, and how much they may. */
export function createStorage({ db, freeBytes }: Deps) {
  async function read(accountId: string): Promise<StorageView> {
    const { bytes, own, setting } = await queries.readStorage(db, accountId);
    if (own === unbounded) return { bytes, quota: null };
    return { bytes, quota: own ?? settingValue("storage-per-member", setting) };
  }

  /**
   * Refuses with storage-full or newcomers-full an account that has more than it may, or would have with `adding`
   * bytes more. Asked before a picture is read, and again in the transaction that wrote its row:
   * the count is locked there, so that many at once are counted one after the other.
   */
  async function check(accountId: string, adding = 0): Promise<void> {
    const { bytes, quota } = await read(accountId);
    if (quota !== null && bytes + adding > quota) {
      throw refuse("storage-full", {
        message:
          `Your storage is full: you can use ${formatQuota(quota)}. ` +
          "Delete posts you no longer need, or ask whoever runs this Postcard for more space.",
      });
    }
    await checkNewcomers(accountId, adding);
  }

  /**
   * Refuses a newcomer with newcomers-full where newcomers would have more than their share of the room that
   * there would be without them, besides what no upload takes. Their bytes are originals: the sizes made of
   * them are gone from the free room alone, which lessens the share.
   */
  async function checkNewcomers(accountId: string, adding: number): Promise<void> {
    const { days, share } = limits.storage.newcomers;
    if (!freeBytes || Date.now() - timeOf(accountId) > days * dayMs) return;
    const together = await queries.readNewcomers(db, days);
    const room = (await freeBytes()) + together - limits.uploads.reserve;
    if (together + adding <= room * share) return;
    throw refuse("newcomers-full", { retryAfter: newcomersRetryAfter });
  }

  /** What the account of a session uses of its room. */
  const of = (viewer: Viewer) => read(viewer.id);

  /** For the operator: what one account may use, in bytes; null for as much as everybody. */
  const setQuota = (accountId: string, quota: number | "unlimited" | null) =>
    queries.writeQuota(db, accountId, quota === "unlimited" ? unbounded : quota);

  return { check, of, read, setQuota };
}

export type Storage = ReturnType<typeof createStorage>;
