import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { idAt } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/archive/imports.queries.ts";
import { skippedMessage, reasonOf } from "#shared/exports/skipped.ts";
import type { ArchiveImages } from "#server/features/archive/open-archive.ts";
import type { PreparedPost } from "#server/features/archive/prepare.ts";
import { isTransient, receiveImage } from "#server/features/archive/receive-image.ts";
import {
  importEdits,
  insertPhotos,
  insertPost,
  lockCounters,
  placeInAlbums,
  writeFocalPoint,
  type Images,
  type Posts,
  type ReceivedImage,
} from "#server/features/posts/index.ts";
import { isRefusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { audiences, postChoiceNames, type Audience } from "#shared/posts.ts";
import { pick } from "#shared/records.ts";

/** What an import needs of the images feature. */
export type ImportImages = Pick<
  Images,
  "receive" | "receiveAnimated" | "record" | "claim" | "discard"
>;

type Deps = {
  db: Database;
  log: Pick<Logger, "warn">;
  images: ImportImages;
  posts: Pick<Posts, "refuseNarrow">;
};
export type Into = {
  accountId: string;
  createdAt: Date;
  /** of the import */
  id: string;
  /** chosen for posts that do not say whom they are for */
  audience: Audience;
};

/** What became of a post that is here, and sentences about the albums that it is not in. */
type Imported = { post: "taken" | "known"; left: string[] };

/**
 * A post with its original time, but never in the future, and the next number in this account. A post that
 * cannot be imported as it is is skipped whole, with a sentence that says why.
 */
export async function importPost(
  deps: Deps,
  into: Into,
  archive: ArchiveImages,
  from: PreparedPost,
): Promise<Imported | { skipped: string }> {
  const known = await knownAs(deps, into, from);
  if (known === "known") return { post: known, left: await placeKnown(deps, into, from) };
  if (known) return { post: known, left: [] };
  if ("skipped" in from) return { skipped: from.skipped };

  const moving = { receive: deps.images.receiveAnimated };
  const received: ReceivedImage[] = [];
  try {
    for (const each of from.pictures) {
      const image = await receiveImage(moving, archive, into.accountId, each);
      received.push(image);
    }
  } catch (error) {
    await discard(deps, received);
    return skippedBy(error, from);
  }
  const write = () => publish(deps, into, from, () => recordAll(deps, into, received));
  try {
    const { post, full } = await writeWith(deps, received, write);
    return { post, left: full.map((title) => noRoom(from, title)) };
  } catch (error) {
    return skippedBy(error, from);
  }
}

/** Throws what is not the post's own fault. */
function skippedBy(error: unknown, { label }: Pick<PreparedPost, "label">) {
  if (!isRefusal(error) || isTransient(error)) throw error;
  return { skipped: skippedMessage(label, reasonOf(error)) };
}

const noRoom = ({ label }: Pick<PreparedPost, "label">, title: string) =>
  `${label} is here, but not in the album “${title}”: it has ${limits.albums.items} photos at most.`;

/**
 * What `publish` did: the outcome if the post was created meanwhile, null where it is written now, and the titles of
 * albums that had no room for it.
 */
type Published = { meanwhile: "taken" | "known" | null; full: string[] };

/** Writes a post in a transaction, and discards what was received for it unless that made it. */
export async function writeWith(
  deps: Pick<Deps, "db" | "log"> & { images: Pick<Images, "discard"> },
  received: readonly ReceivedImage[],
  write: () => Promise<Published>,
): Promise<{ post: "taken" | "known"; full: string[] }> {
  let written = false;
  try {
    const { meanwhile, full } = await deps.db.transaction(async () => {
      const outcome = await write();
      written = outcome.meanwhile === null;
      return outcome;
    });
    if (meanwhile) await discard(deps, received);
    return { post: meanwhile ?? "taken", full };
  } catch (error) {
    // When the response to the commit was lost, the post may exist after all.
    if (!written) await discard(deps, received);
    throw error;
  }
}

export async function recordAll(
  { images }: { images: Pick<Images, "record"> },
  { accountId }: Pick<Into, "accountId">,
  received: readonly ReceivedImage[],
): Promise<string[]> {
  const ids = [];
  for (const each of received) ids.push(await images.record(accountId, each));
  return ids;
}

/** The outcome for a post that already exists; "taken" where this import created it. */
export async function knownAs(
  { db }: Pick<Deps, "db">,
  { accountId, createdAt }: Pick<Into, "accountId" | "createdAt">,
  from: Pick<PreparedPost, "id" | "key">,
) {
  const key = { authorId: accountId, clientKey: from.key, postId: from.id };
  const found = await queries.findImported(db, { ...key, since: createdAt });
  return found && (found.fresh ? "taken" : "known");
}

/** Of a post that was here before this import: it goes into the albums that this import made, as what it is. */
async function placeKnown(
  { db }: Deps,
  { accountId, createdAt }: Into,
  from: PreparedPost,
): Promise<string[]> {
  const { albums = [] } = from;
  if (albums.length === 0) return [];
  const key = { authorId: accountId, clientKey: from.key, postId: from.id };
  const full = await db.transaction(async () => {
    await lockCounters(db, accountId);
    const found = await queries.findImported(db, { ...key, since: createdAt });
    if (!found) return [];
    return placeInAlbums(db, { authorId: accountId, postId: found.id }, albums, createdAt);
  });
  return full.map((title) => noRoom(from, title));
}

/** Runs inside a transaction; `recorded` says which rows its images have. */
export async function publish(
  deps: Pick<Deps, "db" | "posts"> & { images: Pick<Images, "claim"> },
  into: Into,
  from: Exclude<PreparedPost, { skipped: string }>,
  recorded: () => Promise<readonly string[]>,
): Promise<Published> {
  const { db, images, posts } = deps;
  const { accountId: authorId } = into;
  await lockCounters(db, authorId);
  const meanwhile = await knownAs(deps, into, from);
  if (meanwhile) return { meanwhile, full: [] };
  const audience = from.asChosen ? narrower(into.audience, from.audience) : from.audience;
  await posts.refuseNarrow(authorId, audience);
  const imageIds = await recorded();
  // Read from the originals.
  const seen = { camera: true, location: from.showPlace };
  await images.claim(authorId, imageIds, { ...seen, importId: into.id });
  const photos = [];
  for (const [index, imageId] of imageIds.entries()) {
    const { alt = "", focalPoint = null } = from.pictures[index] ?? {};
    if (focalPoint) await writeFocalPoint(db, authorId, imageId, focalPoint);
    photos.push({ imageId, alt });
  }
  const id = idAt(Math.min(from.time, Date.now()));
  const { caption, timeZone, language, editedAt, earlier } = from;
  const words = { caption, timeZone, language, ...pick(from, postChoiceNames), audience };
  const made = { id, authorId, ...words, pictureCount: photos.length };
  await insertPost(db, { ...made, clientKey: from.key });
  await insertPhotos(db, { authorId, postId: id }, photos);
  await queries.markImported(db, { authorId, id, importId: into.id });
  await importEdits(db, { authorId, postId: id }, { editedAt, earlier });
  const full = await placeInAlbums(db, { authorId, postId: id }, from.albums ?? [], null);
  return { meanwhile: null, full };
}

const narrower = (one: Audience, other: Audience): Audience =>
  audiences.indexOf(one) > audiences.indexOf(other) ? one : other;

/** What was received for a post or a profile and did not come into use. */
export async function discard(
  { images, log }: Pick<Deps, "log"> & { images: Pick<Images, "discard"> },
  received: readonly ReceivedImage[],
): Promise<void> {
  for (const each of received) {
    await images.discard(each).catch((error: unknown) => {
      log.warn({ err: error }, "an image of an import is left for the sweep");
    });
  }
}
