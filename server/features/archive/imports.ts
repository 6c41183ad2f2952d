import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { newId } from "#server/platform/db/ids.ts";
import { checkDaily, createArchiveFiles } from "#server/features/archive/archive-files.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { createUndoing, refuseWhileUndoing } from "#server/features/archive/undo-imports.ts";
import { job, runImport, type Running } from "#server/features/archive/run-import.ts";
import type { Albums, Posts } from "#server/features/posts/index.ts";
import type { Jobs, JobRun } from "#server/platform/jobs.ts";
import type { ImportView } from "#shared/archive.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = Omit<Running, "archives"> & {
  posts: Pick<Posts, "removeThese">;
  albums: Pick<Albums, "takeDown">;
  /** where archives that wait to be read are stored */
  files: PrivateFiles;
  jobs: Pick<Jobs, "handle">;
};

/** The release before runs this one, and reads archives of a Postcard alone. */
const formerJob = "import-archive";
/** A large one does not block the others: it works for its turn and queues again. */
const jobOptions = { concurrency: 2, longestSeconds: 30 * 60, retries: 5 };

/**
 * Posts, photos, messages and profile of an archive, or the posts that another service exports, imported into an
 * account in the background. Posts and messages are recognized by what they are there: interrupted or repeated,
 * an import makes nothing twice.
 */
export function createImports(deps: Deps) {
  const { db, jobs } = deps;
  const files = createArchiveFiles(deps, "imports");
  const undoing = createUndoing(deps);
  const run = ({ id }: { id: string }, how: JobRun) =>
    runImport({ ...deps, archives: files }, id, how);
  for (const name of [job, formerJob]) jobs.handle<{ id: string }>(name, run, jobOptions);

  /**
   * Moves an uploaded file away, so the form's clean-up no longer finds it. Posts that do not say whom they are
   * for get `audience`, or that of the next post. Refuses as checkMayStart does,
   * import-limit (retryAfter says when), and archive-required when there is no file.
   */
  async function start(
    viewer: Viewer,
    upload: { path: string } | null,
    { audience = null, showNewest = false }: Partial<queries.NewImport> = {},
  ): Promise<void> {
    await checkMayStart(viewer);
    if (!upload) throw refuse("archive-required");
    const id = newId();
    await files.put(id, upload.path);
    try {
      await db.transaction(async () => {
        const chosen = { accountId: viewer.id, id, audience, showNewest };
        const begun = await queries.insertImport(db, chosen);
        if (!begun) throw refuse("import-running");
        await jobs.add(job, { id }, { key: id });
      });
    } catch (error) {
      await files.remove([id]);
      throw error;
    }
  }

  /**
   * Also checked before a long upload. Refuses with import-running, import-open, import-undoing and import-limit.
   */
  async function checkMayStart(viewer: Viewer): Promise<void> {
    const newest = await latest(viewer);
    if (newest?.state === "waiting") throw refuse("import-running");
    if (newest?.state === "arriving") throw refuse("import-open");
    await refuseWhileUndoing(db, viewer);
    const day = { most: limits.archive.importsADay, code: "import-limit" } as const;
    await checkDaily(db, "imports", { accountId: viewer.id }, day);
  }

  /** The newest one, or null. */
  const latest = (viewer: Viewer): Promise<ImportView | null> =>
    queries.latestImport(db, viewer.id);

  return {
    start,
    checkMayStart,
    latest,
    undoable: undoing.list,
    questionBeforeUndo: undoing.question,
    undo: undoing.begin,
    /** Removes files that no row names. */
    sweep: (now = new Date()) => files.removeOrphans(now),
    removeFilesOf: files.removeFilesOf,
  };
}
