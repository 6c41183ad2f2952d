import type { Database } from "#server/platform/db/database.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { settingValue, formatQuota } from "#server/features/operator/index.ts";
import * as queries from "#server/features/limits/storage/storage.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { StorageView, Viewer } from "#shared/views.ts";

/** The value of an account's own quota that means unlimited. */
const unbounded = Number.MAX_SAFE_INTEGER;

type Deps = {
  db: Database;
  /** free bytes on the disk that stores images; null when they are stored elsewhere */
  freeBytes: (() => Promise<number>) | null;
};

const dayMs = 24 * 60 * 60 * 1000;
/** How long a newcomer should wait before retrying, seconds: an operator may have made room by then. */
const newcomersRetryAfter = 60 * 60;

/** How much storage a member's images use, and how much they may use. */
export function createStorage({ db, freeBytes }: Deps) {
  async function read(accountId: string): Promise<StorageView> {
    const { bytes, own, setting } = await queries.readStorage(db, accountId);
    if (own === unbounded) return { bytes, quota: null };
    return { bytes, quota: own ?? settingValue("storage-per-member", setting) };
  }

  /**
   * Refuses with storage-full or newcomers-full an account that exceeds its quota, or would with `adding`
   * bytes more. Checked before an image is read, and again in the transaction that wrote its row: the count
   * is locked there, so that many at once are counted one after the other.
   */
  async function check(accountId: string, adding = 0): Promise<void> {
    const { bytes, quota } = await read(accountId);
    if (quota !== null && bytes + adding > quota) {
      throw refuse("storage-full", {
        message:
          `Your storage is full: you can use ${formatQuota(quota)}. ` +
          "Delete posts you no longer need, or ask the person who runs this Postcard for more space.",
      });
    }
    await checkNewcomers(accountId, adding);
  }

  /**
   * Refuses a newcomer with newcomers-full where all newcomers together would use more than their share of
   * the space that would be free without them, less the upload reserve. Only originals count as their bytes:
   * the renditions just reduce the free space, and so the share.
   */
  async function checkNewcomers(accountId: string, adding: number): Promise<void> {
    const { days, share } = limits.storage.newcomers;
    if (!freeBytes || Date.now() - timeOf(accountId) > days * dayMs) return;
    const together = await queries.readNewcomers(db, days);
    const room = (await freeBytes()) + together - limits.uploads.reserve;
    if (together + adding <= room * share) return;
    throw refuse("newcomers-full", { retryAfter: newcomersRetryAfter });
  }

  /** How much of its storage the session's account uses. */
  const of = (viewer: Viewer) => read(viewer.id);

  /** For the operator: one account's quota in bytes; null for the same as everybody. */
  const setQuota = (accountId: string, quota: number | "unlimited" | null) =>
    queries.writeQuota(db, accountId, quota === "unlimited" ? unbounded : quota);

  return { check, of, read, setQuota };
}

export type Storage = ReturnType<typeof createStorage>;
