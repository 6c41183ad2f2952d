import { join } from "node:path";
import type { Logger } from "pino";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Database } from "#server/db/database.ts";
import { newId } from "#server/db/ids.ts";
import { createArchiveFiles } from "#server/features/archive/archive-files.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { openArchive } from "#server/features/archive/open-archive.ts";
import { takeMessages } from "#server/features/archive/take-messages.ts";
import { createTakeOver, type Images } from "#server/features/archive/take-over.ts";
import type { ImportedThreads } from "#server/features/talk/index.ts";
import type { Jobs, JobRun } from "#server/jobs.ts";
import type { ImportView } from "#shared/archive.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  log: Pick<Logger, "warn">;
  images: Images;
  importedThreads: ImportedThreads;
  /** where archives lie that are to be read */
  files: PrivateFiles;
  config: { dataDir: string };
  jobs: Pick<Jobs, "add" | "handle">;
  /** how long one import is worked on before the next in line has its turn, milliseconds */
  importTurnMs?: number;
};

const job = "import-archive";
const day = 24 * 60 * 60 * 1000;
/** Files that no row names are removed once they are this old. */
const orphanMs = 60 * 60 * 1000;
/** Sentences about what was left out. */
const mostSkipped = 20;
const givenUp =
  "Something went wrong on our side while reading your archive. What was imported is there; import it again for the rest.";

/**
 * Posts, pictures, messages and profile of an archive, brought into an account in the background. A
 * post and a message are known by what they were there: interrupted or repeated, an import makes
 * nothing twice.
 */
export function createImports(deps: Deps) {
  const { db, log, images, importedThreads, config, jobs, importTurnMs = 60_000 } = deps;
  const files = createArchiveFiles(deps.files, "imports");
  const tmpDir = join(config.dataDir, "tmp");
  const takeOver = createTakeOver({ db, log, images });
  jobs.handle<{ id: string }>(job, ({ id }, run) => work(id, run), {
    // a large one stands in nobody's way: it works for its turn and queues again
    concurrency: 2,
    longestSeconds: 30 * 60,
    retries: 5,
  });

  /**
   * Takes an uploaded file over; the form's clean-up finds it gone. Refuses with import-running,
   * import-limit (retryAfter says when), and archive-required for no file.
   */
  async function start(viewer: Viewer, upload: { path: string } | null): Promise<void> {
    await checkMayStart(viewer);
    if (!upload) throw refuse("archive-required");
    const id = newId();
    await files.put(id, upload.path);
    try {
      await db.transaction(async () => {
        const begun = await queries.insertImport(db, { accountId: viewer.id, id });
        if (!begun) throw refuse("import-running");
        await jobs.add(job, { id }, { key: id });
      });
    } catch (error) {
      await files.remove([id]);
      throw error;
    }
  }

  /** Asked before a long upload, too. Refuses with import-running and import-limit. */
  async function checkMayStart(viewer: Viewer): Promise<void> {
    const latest = await queries.latestImport(db, viewer.id);
    if (latest?.state === "waiting") throw refuse("import-running");
    const recent = await queries.recentImports(db, viewer.id);
    if (recent.length < limits.archive.importsADay) return;
    const again = (recent[0] ?? Date.now()) + day - Date.now();
    throw refuse("import-limit", { retryAfter: Math.max(1, Math.ceil(again / 1000)) });
  }

  /** The newest, or null. */
  function latest(viewer: Viewer): Promise<ImportView | null> {
    return queries.latestImport(db, viewer.id);
  }

  async function work(id: string, { signal, last }: JobRun): Promise<void> {
    const wanted = await queries.findWaiting(db, id);
    if (!wanted) return files.remove([id]);
    try {
      if (!(await read(wanted, signal))) return await jobs.add(job, { id }, { key: id });
      await queries.writeEnd(db, id, null);
    } catch (error) {
      // the same archive would be refused again: it is not tried again
      if (isRefusal(error) && error.code === "archive-invalid") {
        await queries.writeEnd(db, id, error.message);
      } else {
        if (last && !signal.aborted) await queries.writeEnd(db, id, givenUp);
        else throw error;
      }
    }
    await files.remove([id]);
  }

  /** Goes on where the last run of it ended; false when its turn is over before it is. */
  async function read(wanted: queries.WaitingImport, signal: AbortSignal): Promise<boolean> {
    const file = await files.local(wanted.id);
    if (!file) {
      throw refuse("archive-invalid", { message: "The archive didn't arrive completely." });
    }
    let again = false;
    const done = {
      posts: wanted.progress?.posts.done ?? 0,
      messages: wanted.progress?.messages.done ?? 0,
    };
    const archive = openArchive({ path: file.path, done }, tmpDir, signal);
    try {
      const progress = wanted.progress ?? beginning(await archive.check());
      if (!wanted.progress) await note(progress);
      const turnEnds = performance.now() + importTurnMs;
      for (const take of [takePosts, takeMessageBatch]) {
        while (await noted(progress, () => take(progress))) {
          if (performance.now() < turnEnds) continue;
          again = true;
          return false;
        }
      }
      await takeOver.profile(wanted.accountId, archive, await archive.profile());
      return true;
    } finally {
      await archive.close();
      await file.release({ again });
    }

    async function takePosts({ posts, skipped }: queries.ImportProgress): Promise<boolean> {
      const batch = await archive.posts();
      for (const post of batch ?? []) {
        signal.throwIfAborted();
        const outcome = await takeOver.post(wanted, archive, post);
        if (outcome === "taken" || outcome === "known") posts[outcome] += 1;
        else skipped.push(outcome.skipped);
        posts.done += 1;
      }
      return batch !== null;
    }

    async function takeMessageBatch({ messages, skipped }: queries.ImportProgress) {
      const batch = await archive.messages();
      if (!batch) return false;
      signal.throwIfAborted();
      const outcome = await takeMessages(importedThreads, wanted, archive, batch);
      messages.taken += outcome.taken;
      messages.known += outcome.known;
      messages.done += batch.length;
      skipped.push(...outcome.skipped);
      return true;
    }

    async function note(progress: queries.ImportProgress): Promise<void> {
      progress.skipped.length = Math.min(progress.skipped.length, mostSkipped);
      await queries.writeProgress(db, wanted.id, progress);
    }

    /** One batch, and how far it came, also where it broke off. */
    async function noted(progress: queries.ImportProgress, work: () => Promise<boolean>) {
      try {
        const more = await work();
        if (more) await note(progress);
        return more;
      } catch (error) {
        await note(progress).catch(() => undefined);
        throw error;
      }
    }
  }

  /** Removes files that no row names. */
  async function sweep(now = new Date()): Promise<void> {
    const lying = await files.idsBefore(new Date(now.getTime() - orphanMs));
    const used = await queries.importsInUse(db, lying);
    await files.remove(lying.filter((id) => !used.has(id)));
  }

  /** Every file of an account that is being deleted, before its rows go. */
  async function removeFilesOf(accountId: string): Promise<void> {
    await files.remove(await queries.importsOf(db, accountId));
  }

  return { start, checkMayStart, latest, sweep, removeFilesOf };
}

function beginning(totals: { posts: number; messages: number }): queries.ImportProgress {
  const nothing = { done: 0, taken: 0, known: 0 };
  return {
    posts: { ...nothing, total: totals.posts },
    messages: { ...nothing, total: totals.messages },
    skipped: [],
  };
}
