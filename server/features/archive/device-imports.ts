import type { Logger } from "pino";
import type { z } from "zod";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import { checkDaily } from "#server/features/archive/archive-files.ts";
import * as queries from "#server/features/archive/device-imports.queries.ts";
import { endImport } from "#server/features/archive/end-import.ts";
import { knownAs, publish, recordAll, writeWith } from "#server/features/archive/import-content.ts";
import { createLinkedPhotos } from "#server/features/archive/linked-photos.ts";
import { prepareFromDevice } from "#server/features/archive/readers/prepare-exported.ts";
import { refuseWhileUndoing } from "#server/features/archive/undo-imports.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";
import type { Images, Posts, ReceivedImage } from "#server/features/posts/index.ts";
import {
  deviceImportEndInput,
  deviceImportInput,
  devicePostInput,
  knownKeysInput,
} from "#shared/archive.inputs.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = Parameters<typeof createLinkedPhotos>[0] & {
  db: Database;
  log: Pick<Logger, "warn">;
  images: Pick<Images, "claim" | "removeFiles" | "record" | "receiveAnimated" | "discard">;
  posts: Pick<Posts, "refuseNarrow" | "nextAudience">;
  storage: Pick<Storage, "check">;
  writes?: Pick<WriteRates, "count">;
};
type Working = Deps & { linkedPhotos: ReturnType<typeof createLinkedPhotos> };

const leftAloneMessage =
  "Nothing came from your device for a week, so this import ended. What was imported is there; choose your export again for the rest.";

/**
 * Imports whose exports are read on a device, which sends the chosen posts one by one; their photos come by
 * uploads for this import. A post is recognized by its key: sent twice, or by two devices, it is one.
 */
export function createDeviceImports(given: Deps) {
  const deps = { ...given, linkedPhotos: createLinkedPhotos(given) };
  const { db, images } = deps;
  return {
    ...bind(deps, { begin, addPost, end }),

    /** Those of the keys by which the viewer has a post, and how many of them not by the open import. */
    async known(viewer: Viewer, input: z.input<typeof knownKeysInput>) {
      const found = await queries.knownKeys(db, viewer.id, parseInput(knownKeysInput, input).keys);
      const before = found.filter(({ own }) => !own).length;
      return { known: found.map(({ key }) => key), before };
    },

    /** Ends those that nobody goes on with, and removes images that no import can use any more. */
    async sweep(now = new Date()): Promise<void> {
      for (const each of await queries.leftAlone(db, now)) {
        await endImport(db, each.accountId, () =>
          queries.endLeftAlone(db, each, now, leftAloneMessage),
        );
      }
      await images.removeFiles(await queries.deleteUnusedImages(db));
    },
  };
}

/**
 * The viewer's open import of this kind, or a new one, by its id. Refuses with storage-full and newcomers-full,
 * import-running, import-open (one of another kind), import-undoing, import-limit and audience-not-offered.
 */
async function begin(
  deps: Deps,
  viewer: Viewer,
  input: z.input<typeof deviceImportInput>,
): Promise<string> {
  const { db, posts, storage } = deps;
  const { bytes, ...wanted } = parseInput(deviceImportInput, input);
  const audience = wanted.audience ?? (await posts.nextAudience(viewer)).audience;
  await posts.refuseNarrow(viewer.id, audience);
  await storage.check(viewer.id, bytes);
  const chosen = { ...wanted, audience };
  return (await goOn(db, viewer, chosen)) ?? (await beginNew(db, viewer, chosen));
}

/** Null where nothing is running. */
async function goOn(
  db: Database,
  viewer: Viewer,
  wanted: queries.NewDeviceImport,
): Promise<string | null> {
  const running = await queries.findRunning(db, viewer.id);
  if (!running) return null;
  const { id, kind, open } = running;
  if (!open) throw refuse("import-running");
  if (kind !== wanted.kind) throw refuse("import-open");
  const reopened = await queries.reopen(db, { ...wanted, accountId: viewer.id, id });
  return reopened ? id : null;
}

async function beginNew(
  db: Database,
  viewer: Viewer,
  wanted: queries.NewDeviceImport,
): Promise<string> {
  await refuseWhileUndoing(db, viewer);
  const day = { most: limits.archive.deviceImportsADay, code: "import-limit" } as const;
  await checkDaily(db, "imports", { accountId: viewer.id, fromDevice: true }, day);
  const id = newId();
  if (await queries.insertOpen(db, { ...wanted, accountId: viewer.id, id })) return id;
  const other = await goOn(db, viewer, wanted);
  if (!other) throw refuse("busy", { retryAfter: 1 });
  return other;
}

/**
 * Writes one post of an open import, unless it is here. Refuses with not-found, import-ended, not-importable (this
 * post cannot come, and the sentence says why), picture-unknown (a photo has to be sent again), audience-not-offered,
 * too-many-writes, and as linkedPhotos.fetchAll does.
 */
async function addPost(
  deps: Working,
  viewer: Viewer,
  id: string,
  input: z.input<typeof devicePostInput>,
): Promise<"taken" | "known"> {
  const { db, writes, linkedPhotos } = deps;
  const into = await findOpen(db, viewer, id);
  const wanted = parseInput(devicePostInput, input);
  const post = prepareFromDevice(into.kind, wanted);
  const before = await knownAs(deps, into, post);
  if (before) return before;
  if ("skipped" in post) throw refuse("not-importable", { message: post.skipped });
  const urls = wanted.pictures.flatMap((picture) => ("url" in picture ? [picture.url] : []));
  const received = await linkedPhotos.fetchAll(viewer, urls).catch((error: unknown) => {
    if (!isRefusal(error) || error.code !== "not-importable") throw error;
    throw refuse("not-importable", { message: skippedMessage(post.label, error.message) });
  });
  const written = await writeWith(deps, received, async () => {
    db.seenAtOnce();
    const published = await publish(deps, into, post, () =>
      imageIds(deps, viewer, wanted, received),
    );
    if (published.meanwhile) return published;
    if (!(await queries.countTaken(db, into))) throw refuse("import-ended");
    await writes?.count(viewer, "importedPosts");
    return published;
  });
  return written.post;
}

/** In the order of the post: those that were sent, and those that were fetched now. */
async function imageIds(
  deps: Deps,
  viewer: Viewer,
  { pictures }: z.output<typeof devicePostInput>,
  received: readonly ReceivedImage[],
): Promise<string[]> {
  const fetched = await recordAll(deps, { accountId: viewer.id }, received);
  return pictures.map((picture) =>
    "imageId" in picture ? picture.imageId : (fetched.shift() ?? ""),
  );
}

/** Refuses with not-found what is not the viewer's, or no import from a device, and with import-ended. */
async function findOpen(db: Database, viewer: Viewer, id: string) {
  const found = await findOwn(db, viewer, id);
  if (!found.open) throw refuse("import-ended");
  return found;
}

async function findOwn(db: Database, viewer: Viewer, id: string) {
  const key = { accountId: viewer.id, id };
  const found = isId(id) ? await queries.findDeviceImport(db, key) : null;
  if (!found) throw refuse("not-found");
  return found;
}

/** Ended before, it stays as it is. Refuses with not-found. */
async function end(
  { db, images }: Deps,
  viewer: Viewer,
  id: string,
  input: z.input<typeof deviceImportEndInput>,
): Promise<void> {
  const result = parseInput(deviceImportEndInput, input);
  const found = await findOwn(db, viewer, id);
  await endImport(db, viewer.id, () => queries.endOpen(db, found, result));
  // After the end: a post that is written just now keeps its images, and its import waits for it.
  await images.removeFiles(await queries.deleteUnusedImages(db, viewer.id));
}
