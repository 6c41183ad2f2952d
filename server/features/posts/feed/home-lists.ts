import { AsyncLocalStorage } from "node:async_hooks";
import type { Logger } from "pino";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { databaseFaultOf, unlessReadOnly } from "#server/platform/db/database-faults.ts";
import type { AfterBatch } from "#server/features/in-batches.ts";
import * as removal from "#server/features/posts/feed/home-lists-removal.queries.ts";
import * as queries from "#server/features/posts/feed/home-lists.queries.ts";
import { onceAMinute } from "#server/platform/log.ts";

const usualSizes: queries.ListSizes = {
  maxEntries: 800,
  first: 200,
  mostFollowers: 10_000,
  followsAtOnce: 5000,
  cutEvery: 256,
};
/** Posts of one transaction: at the most followers that each can have, half a second of the database. */
const postsAtOnce = 5;
/** Posts that arrive within this time go into the lists together, in milliseconds. */
const togetherMs = 50;
/** How often to look for posts that this process was not notified of, in milliseconds. */
const lookEveryMs = 2000;
/** Lists waiting for upkeep; a reader whose list finds no room asks again with the next page. */
const mostQueued = 1000;
/** A list that nobody has read for this long is no longer written. */
const idleDays = 14;
const atOnce = 100;

type Deps = { db: Database; log: Pick<Logger, "error">; sizes?: queries.ListSizes };

/**
 * Lists of posts for the home feeds of those who read them, written after the posts are published
 * (docs/decisions/0184). The feed is right without them, and with any part of this work undone: what a dying
 * process leaves is done by the next one that looks.
 */
export function createHomeLists({ db, log, sizes = usualSizes }: Deps) {
  const outsideTransactions = AsyncLocalStorage.snapshot();
  const isNews = onceAMinute();
  const queued = new Set<string>();
  /** the next look, and when it happens, epoch ms */
  let next: { timer: NodeJS.Timeout; at: number } | null = null;
  let started = false;
  let stopped = false;
  let running: Promise<void> | null = null;

  /** Posts were written: they go into the lists soon. */
  function wake(ms = togetherMs): void {
    const at = Date.now() + ms;
    if (!started || (next && next.at <= at)) return;
    clearTimeout(next?.timer);
    next = { timer: outsideTransactions(() => setTimeout(look, ms).unref()), at };
  }

  /** Somebody reads a home feed whose list is missing, a day old or lacks a lot: it is updated soon. */
  function refreshSoon(accountId: string): void {
    if (queued.size >= mostQueued) return;
    queued.add(accountId);
    wake();
  }

  function look(): void {
    next = null;
    // what arrived meanwhile is looked for when this is done
    if (running) return;
    let found = 0;
    running = db
      .patiently(async () => unlessReadOnly(work(), 0))
      .then((posts) => void (found = posts))
      .catch((error: unknown) => {
        if (isNews(databaseFaultOf(error) ?? "another")) {
          log.error({ err: error }, "the lists of home feeds are not being written");
        }
      })
      .finally(() => {
        running = null;
        // after one post, as during an import, more follow
        wake(found > 0 ? togetherMs : lookEveryMs);
      });
  }

  /** Does everything that is waiting. How many posts went into lists. */
  const work = () => listAll({ db, sizes, isStopped: () => stopped }, queued);

  /** Starts the background work. */
  function start(): void {
    started = true;
    wake(lookEveryMs);
  }

  async function stop(): Promise<void> {
    started = false;
    stopped = true;
    clearTimeout(next?.timer);
    await running;
  }

  return {
    wake,
    refreshSoon,
    work,
    start,
    stop,
    /** Deletes the lists of those who no longer come. */
    sweep: async (): Promise<void> => {
      while ((await removal.dropIdle(db, idleDays, atOnce)) === atOnce);
    },
    removeAllOf: (accountId: string, afterBatch: AfterBatch) =>
      removeAllOf(db, accountId, afterBatch),
  };
}

export type HomeLists = ReturnType<typeof createHomeLists>;

type Listing = { db: Database; sizes: queries.ListSizes; isStopped: () => boolean };

/** Puts waiting posts into lists, and updates the lists that are due. How many posts went into lists. */
async function listAll(listing: Listing, queued: Set<string>): Promise<number> {
  const { db, sizes, isStopped } = listing;
  let found = await listWaiting(listing);
  for (const accountId of queued) {
    if (isStopped()) break;
    queued.delete(accountId);
    await queries.announce(db, accountId, sizes);
    await queries.fillList(db, accountId, sizes);
    await removal.removeFallen(db, accountId);
    found += await listWaiting(listing);
  }
  return found;
}

async function listWaiting({ db, sizes, isStopped }: Listing): Promise<number> {
  for (let found = 0; ;) {
    const posts = await queries.listPending(db, postsAtOnce, sizes);
    found += posts;
    if (posts === 0 || isStopped()) return found;
  }
}

/** Of an account that is being deleted: its list, and its posts in those of others. */
async function removeAllOf(db: Database, accountId: string, afterBatch: AfterBatch): Promise<void> {
  if (await removal.dropListOf(db, accountId)) afterBatch();
  for (let after: string | null = lowestId; after !== null;) {
    const page = { authorId: accountId, after, limit: atOnce };
    const { last, removed } = await removal.removeAuthor(db, page);
    if (removed) afterBatch();
    after = last;
  }
}
