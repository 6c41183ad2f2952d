import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/deletion/deletion.queries.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { usernameOf } from "#shared/usernames.ts";
import type { Viewer } from "#shared/views.ts";

/** A feature that deletes what it stores of an account; started again, it continues. */
type Owner = { removeAllOf: (accountId: string, afterBatch: AfterBatch) => Promise<void> };

/** What deletion needs of the features below it. */
type Deps = {
  db: Database;
  log: Pick<Logger, "info" | "error">;
  identity: {
    confirmation: { confirm: (viewer: Viewer, proof: { password: string }) => Promise<void> };
    sessions: {
      endAll: (accountId: string) => Promise<void>;
      signOut: (headers: { cookie?: string }) => Promise<{ cookies: string[] }>;
    };
  };
  search: { forget: (accountId: string) => Promise<void> };
  jobs: Pick<Jobs, "add" | "handle">;
  /** Those whose rows count elsewhere, in this order: a post goes after what belongs to it. */
  owners: readonly Owner[];
  chat: { removeImagesOf: (accountId: string) => Promise<void> };
  exports: { removeFilesOf: (accountId: string) => Promise<void> };
  imports: { removeFilesOf: (accountId: string) => Promise<void> };
  uploads: { removeFilesOf: (accountId: string) => Promise<void> };
};

const job = "delete-accounts";
/** A run continues after this many seconds, from where it was. */
const longest = 60 * 60;
/** Accounts looked for at a time. */
const dueAtOnce = 100;

/**
 * Deleting an account: requested, hidden at once, may be withdrawn within seven days, then deleted
 * for good. The rows that are left are the list of what is still to be done, and an image's files
 * go before its row: killed at any moment, the next run continues, and nothing is forgotten.
 */
export function createDeletion(deps: Deps) {
  const { db, jobs } = deps;
  const deleteDue = (signal?: AbortSignal) => deleteAllDue(deps, signal);
  // Which accounts are due is in their rows: the job only says that it is time to check.
  jobs.handle(job, (_data, { signal }) => deleteDue(signal), { longestSeconds: longest });

  return {
    ...requests(deps),
    deleteAccount: (accountId: string, step: Step = {}) => deleteAccount(deps, accountId, step),
    deleteDue,
    /**
     * Deletes accounts that were deleted for good before and came back with an older backup, by the hashes of
     * their ids as a backup keeps them (hexadecimal). Answers how many there were.
     */
    deleteAgain: async (digests: ReadonlySet<string>): Promise<number> => {
      const found = await queries.markDeletedOnce(db, [...digests]);
      for (const accountId of found) await deleteAccount(deps, accountId, {});
      return found.length;
    },
    /** Deletes accounts whose job was lost, or given up. */
    sweep: async (): Promise<void> => {
      if ((await queries.findDue(db, 1)).length > 0) await jobs.add(job, {}, { key: "overdue" });
    },
  };
}

function requests({ db, identity, jobs }: Deps) {
  /**
   * Requested by a member: with the current password, and the username typed once more. The account
   * is hidden and signed out everywhere. Refuses as identity.confirmation.confirm does, and with
   * input-invalid.
   */
  async function request(
    viewer: Viewer,
    typed: { username: string; password: string },
    client: ClientInfo,
  ): Promise<{ dueAt: number; cookies: string[] }> {
    if (usernameOf(typed.username) !== viewer.username) {
      const sentence = `Type ${viewer.username} to confirm.`;
      throw refuse("input-invalid", { fields: { username: sentence } });
    }
    await identity.confirmation.confirm(viewer, { password: typed.password });
    const dueAt = await requestFor(viewer.id);
    const { cookies } = await identity.sessions.signOut({ cookie: client.cookieHeader });
    return { dueAt, cookies };
  }

  /** The same by an operator, without a password. Epoch ms of the deletion. */
  async function requestFor(accountId: string, days: number = limits.deletionDays) {
    return db.transaction(async () => {
      db.seenAtOnce();
      const due = found(await queries.markLeaving(db, { accountId, days }));
      await identity.sessions.endAll(accountId);
      await jobs.add(job, {}, { after: due });
      return due.getTime();
    });
  }

  /** Takes the request back. False when there is none, or the deletion has begun. */
  function keep(accountId: string): Promise<boolean> {
    return queries.unmarkLeaving(db, accountId);
  }

  return { request, requestFor, keep };
}

/** Deletes every account whose days are over. One that fails is logged and tried again later. */
async function deleteAllDue(deps: Deps, signal?: AbortSignal): Promise<void> {
  const due = await queries.findDue(deps.db, dueAtOnce);
  const failures: unknown[] = [];
  for (const accountId of due) {
    signal?.throwIfAborted();
    try {
      await deleteAccount(deps, accountId, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      deps.log.error({ err: error }, "an account could not be deleted yet");
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new Error("Some accounts are left to delete");
  if (due.length === dueAtOnce) await deleteAllDue(deps, signal);
}

/** `onBatch` is called after every step. */
type Step = { signal?: AbortSignal | undefined; onBatch?: () => void };

/** Deletes an account that is due, or continues deleting it. */
async function deleteAccount(deps: Deps, accountId: string, { signal, onBatch }: Step) {
  const { db, log, identity, search, owners } = deps;
  if (!(await queries.beginDeletion(db, accountId))) return;
  const afterBatch = () => {
    signal?.throwIfAborted();
    onBatch?.();
  };
  do {
    await identity.sessions.endAll(accountId);
    await search.forget(accountId);
    await deps.chat.removeImagesOf(accountId);
    await deps.exports.removeFilesOf(accountId);
    await deps.imports.removeFilesOf(accountId);
    await deps.uploads.removeFilesOf(accountId);
    for (const owner of owners) {
      signal?.throwIfAborted();
      await owner.removeAllOf(accountId, afterBatch);
    }
    await removeTheRest(db, accountId, afterBatch);
  } while (!(await db.transaction(() => queries.removeAccount(db, accountId))));
  onBatch?.();
  log.info({}, "an account was deleted for good");
}

/** Rows that are counted nowhere else, in every table that names the account. */
async function removeTheRest(db: Database, accountId: string, afterBatch: AfterBatch) {
  const batch = { accountId, limit: rowsAtOnce };
  // Others have notifications about the account's posts: no key leads from there to here.
  const notifications = { table: "notifications", column: "author_id" };
  for (const table of [notifications, ...(await queries.ownedTables(db))]) {
    await inBatches(db, afterBatch, () => queries.removeOwned(db, table, batch));
  }
}
