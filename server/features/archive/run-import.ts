import { join } from "node:path";
import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { createArchiveFiles } from "#server/features/archive/archive-files.ts";
import { endImport } from "#server/features/archive/end-import.ts";
import { importAlbums } from "#server/features/archive/import-albums.ts";
import { importPost, type ImportImages } from "#server/features/archive/import-content.ts";
import { importMessages } from "#server/features/archive/import-messages.ts";
import { importProfile } from "#server/features/archive/import-profile.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { openArchive, type OpenArchive } from "#server/features/archive/open-archive.ts";
import type { Privacy } from "#server/features/people/index.ts";
import type { Posts } from "#server/features/posts/index.ts";
import type { ImportedConversations } from "#server/features/talk/index.ts";
import type { Jobs, JobRun } from "#server/platform/jobs.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

export type Running = {
  db: Database;
  log: Pick<Logger, "warn">;
  images: ImportImages;
  posts: Pick<Posts, "refuseNarrow" | "nextAudience">;
  importedConversations: ImportedConversations;
  privacy: Pick<Privacy, "set">;
  archives: ReturnType<typeof createArchiveFiles>;
  config: { dataDir: string };
  jobs: Pick<Jobs, "add">;
  /** how long one import is worked on before the next one gets its turn, milliseconds */
  importTurnMs?: number;
};

export const job = "import-posts";
const failureMessage =
  "Something went wrong on our side while reading your archive. What was imported is there; import it again for the rest.";

/** Works on an import for its turn, and ends it or queues it again. */
export async function runImport(
  working: Running,
  id: string,
  { signal, last }: JobRun,
): Promise<void> {
  const { db, archives, jobs } = working;
  const wanted = await queries.findWaiting(db, id);
  if (!wanted) return archives.remove([id]);
  const end = (problem: string | null) =>
    endImport(db, wanted.accountId, () => queries.writeEnd(db, id, problem));
  try {
    if (!(await read(working, wanted, signal))) return await jobs.add(job, { id }, { key: id });
    await end(null);
  } catch (error) {
    // the same archive would be refused again, so it is not retried
    if (isRefusal(error) && error.code === "archive-invalid") await end(error.message);
    else if (last && !signal.aborted) await end(failureMessage);
    else throw error;
  }
  await archives.remove([id]);
}

/** Continues where its last run ended; false when its turn is over before the import is. */
async function read(working: Running, wanted: queries.WaitingImport, signal: AbortSignal) {
  const file = await working.archives.local(wanted.id);
  if (!file) {
    throw refuse("archive-invalid", { message: "The archive didn't arrive completely." });
  }
  const { posts, messages } = wanted.progress ?? {};
  const done = { posts: posts?.done ?? 0, messages: messages?.done ?? 0 };
  const tmpDir = join(working.config.dataDir, "tmp");
  const zone = await queries.timeZoneOf(working.db, wanted.accountId);
  const archive = openArchive({ path: file.path, zone, done }, tmpDir, signal);
  let again = false;
  try {
    const progress = wanted.progress ?? (await begin(working, wanted, archive));
    const usual = await working.posts.nextAudience({ id: wanted.accountId });
    const audience = wanted.audience ?? usual.audience;
    const run = { wanted: { ...wanted, audience }, archive, progress, signal };
    again = !(await importAll(working, run));
    if (!again) await importProfile(working, wanted.accountId, archive, await archive.profile());
    return !again;
  } finally {
    await archive.close();
    await file.release({ again });
  }
}

/**
 * What was for followers there is for nobody else here: a private account is private before its posts come. Its
 * albums are there before them.
 */
async function begin(
  { db, privacy }: Running,
  { id, accountId, createdAt }: queries.WaitingImport,
  archive: OpenArchive,
): Promise<queries.ImportProgress> {
  const { kind, leftOut, ...total } = await archive.check();
  const nothing = { done: 0, taken: 0, known: 0 };
  const progress: queries.ImportProgress = {
    posts: { ...nothing, total: total.posts },
    messages: { ...nothing, total: total.messages },
    skipped: [],
  };
  if ((await archive.profile()).private) await privacy.set({ id: accountId }, true);
  const aboutAlbums = await importAlbums(db, { id, accountId, createdAt }, await archive.albums());
  progress.skipped.push(...aboutAlbums.slice(0, limits.archive.leftOut));
  await queries.writeFound(db, id, { kind, leftOut });
  await queries.writeProgress(db, id, progress);
  return progress;
}

/** One run of an import, and its results so far. */
type Run = {
  wanted: queries.WaitingImport & { audience: Audience };
  archive: OpenArchive;
  progress: queries.ImportProgress;
  signal: AbortSignal;
};

/** Batch by batch; false when its turn ends before everything is imported. */
async function importAll(working: Running, run: Run): Promise<boolean> {
  const turnEnds = performance.now() + (working.importTurnMs ?? 60_000);
  for (const take of [importPosts, importMessageBatch]) {
    while (await withProgress(working, run, take)) {
      if (performance.now() >= turnEnds) return false;
    }
  }
  return true;
}

/** One batch, and how far it got, also where it failed; false after the last one. */
async function withProgress(
  working: Running,
  run: Run,
  take: typeof importPosts,
): Promise<boolean> {
  const { wanted, progress } = run;
  const note = async () => {
    progress.skipped.length = Math.min(progress.skipped.length, limits.archive.leftOut);
    await queries.writeProgress(working.db, wanted.id, progress);
  };
  try {
    const more = await take(working, run);
    if (more) await note();
    return more;
  } catch (error) {
    await note().catch(() => undefined);
    throw error;
  }
}

async function importPosts(
  working: Running,
  { wanted, archive, progress: { posts, skipped }, signal }: Run,
): Promise<boolean> {
  const batch = await archive.posts();
  for (const post of batch ?? []) {
    signal.throwIfAborted();
    const outcome = await importPost(working, wanted, archive, post);
    if ("skipped" in outcome) skipped.push(outcome.skipped);
    else {
      posts[outcome.post] += 1;
      skipped.push(...outcome.left);
    }
    posts.done += 1;
  }
  return batch !== null;
}

async function importMessageBatch(
  { importedConversations }: Running,
  { wanted, archive, progress: { messages, skipped }, signal }: Run,
): Promise<boolean> {
  const batch = await archive.messages();
  if (!batch) return false;
  signal.throwIfAborted();
  const outcome = await importMessages(importedConversations, wanted, archive, batch);
  messages.taken += outcome.taken;
  messages.known += outcome.known;
  messages.done += batch.length;
  skipped.push(...outcome.skipped);
  return true;
}
