import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/archive/undo-imports.queries.ts";
import type { Albums, Posts } from "#server/features/posts/index.ts";
import type { Jobs, JobRun } from "#server/platform/jobs.ts";
import type { UndoableImport, UndoQuestion } from "#shared/archive.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  posts: Pick<Posts, "removeThese">;
  albums: Pick<Albums, "takeDown">;
  jobs: Pick<Jobs, "add" | "handle">;
  /** how long one is worked on before the next one gets its turn, milliseconds */
  importTurnMs?: number;
};

const job = "undo-import";
/** Posts of one transaction: each deletes its photos' rows as well. */
const postsAtOnce = 20;

/**
 * The posts of an import go again, in the background, and its albums unless there are other photos in them; its
 * messages and the profile stay.
 */
export function createUndoing(deps: Deps) {
  const { db, jobs } = deps;
  jobs.handle<{ id: string }>(job, ({ id }, run) => removePosts(deps, id, run), {
    longestSeconds: 30 * 60,
  });

  /** Those that can be undone, and those that are being undone, newest first. */
  const list = (viewer: Pick<Viewer, "id">): Promise<UndoableImport[]> =>
    queries.undoable(db, viewer.id);

  /** What somebody should know before they undo an import; null where it cannot be undone. */
  async function question(viewer: Viewer, id: string): Promise<UndoQuestion | null> {
    const undoable = (await list(viewer)).find((each) => each.id === id && !each.undoing);
    if (!undoable) return null;
    const counts = await queries.countPosts(db, { accountId: viewer.id, id });
    return { ...undoable, ...counts };
  }

  /** Refuses with not-found what is not the viewer's, too old, unfinished, or undone. */
  async function begin(viewer: Viewer, id: string): Promise<void> {
    if (!isId(id)) throw refuse("not-found");
    await db.transaction(async () => {
      const begun = await queries.beginUndo(db, { accountId: viewer.id, id });
      if (!begun) throw refuse("not-found");
      await jobs.add(job, { id }, { key: id });
    });
  }

  return { list, question, begin };
}

/** Refuses with import-undoing: its posts would be known now, and gone in a minute. */
export async function refuseWhileUndoing(db: Database, viewer: Viewer): Promise<void> {
  const all = await queries.undoable(db, viewer.id);
  if (all.some((each) => each.undoing)) throw refuse("import-undoing");
}

/** Batch by batch; queues again when its turn ends before the last one. */
async function removePosts(deps: Deps, id: string, { signal }: JobRun): Promise<void> {
  const { db, posts, albums, jobs, importTurnMs = 60_000 } = deps;
  const turnEnds = performance.now() + importTurnMs;
  for (;;) {
    signal.throwIfAborted();
    const some = await queries.postsToRemove(db, id, postsAtOnce);
    if (some.length === 0) {
      for (const album of await queries.emptiedAlbums(db, id)) await albums.takeDown(album);
      return queries.endUndo(db, id);
    }
    await posts.removeThese(some);
    await queries.writeUndone(db, id, some.length);
    if (performance.now() >= turnEnds) return jobs.add(job, { id }, { key: id });
  }
}
