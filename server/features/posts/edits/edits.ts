import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { closeSuggestions } from "#server/features/posts/alt-suggestions/alt-suggestions.queries.ts";
import * as queries from "#server/features/posts/edits/edits.queries.ts";
import type { LockedPhoto, LockedPost } from "#server/features/posts/edits/edits.queries.ts";
import { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
import { writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import { refuseNarrow } from "#server/features/posts/narrow-posts.ts";
import { lockCounters, tagsFor } from "#server/features/posts/post-writes.queries.ts";
import { writeTags } from "#server/features/posts/tags/tags.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { found, refuse } from "#shared/errors.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { parseInput } from "#shared/inputs.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { postChoiceNames, withVeil } from "#shared/posts.ts";
import { editInput } from "#shared/posts.inputs.ts";
import { pick } from "#shared/records.ts";
import { isBlank } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** resolves an address and a number to a post; refuses with not-found */
  refAt: (viewer: Viewer, address: string, number: number) => Promise<PostRef>;
  /** inside a transaction; refuses an image that is not the account's or is in use already */
  claim: Images["claim"];
  /** in the transaction that narrows a post: its photos that everybody could see until now, by key */
  narrowImages: Images["narrow"];
  /** after the commit that deleted their rows; never throws */
  removeFiles: (keys: string[]) => Promise<void>;
  narrow?: boolean;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  publish: Publish;
};

type Wanted = z.output<typeof editInput>;
type Photo = { imageId: string; alt: string; focalPoint?: FocalPoint | null };

/** Edits of published posts by their authors. */
export function createEdits(deps: Deps) {
  return {
    edit: (viewer: Viewer, address: string, number: number, input: z.input<typeof editInput>) =>
      edit(deps, viewer, { address, number }, input),

    /** Earlier versions of a post of the viewer's, newest first. */
    earlierVersions: async (viewer: Viewer, address: string, number: number) =>
      queries.earlierVersions(deps.db, await ownPost(deps, viewer, { address, number })),
  };
}

type PostAddress = { address: string; number: number };

async function ownPost({ refAt }: Deps, viewer: Viewer, { address, number }: PostAddress) {
  const ref = await refAt(viewer, address, number);
  if (ref.authorId !== viewer.id) throw refuse("not-yours");
  return ref;
}

/**
 * Changes words, photos, their order and descriptions; never leaves a post empty. Refuses with post-changed
 * an edit of an outdated version, unless the post already is as requested: sent again, it changes nothing.
 * Removed photos are gone, files included.
 */
async function edit(
  deps: Deps,
  viewer: Viewer,
  postAddress: PostAddress,
  input: z.input<typeof editInput>,
): Promise<void> {
  const { db, removeFiles, publish, writes } = deps;
  const wanted = parseInput(editInput, input);
  const ref = await ownPost(deps, viewer, postAddress);
  let filesGone: Promise<void> | undefined;
  await db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, viewer.id);
    const current = found(await queries.lockForEdit(db, ref));
    const now = postAfter(current, wanted);
    if (!now) return;
    const more = now.choices.audience !== current.audience || now.added;
    if (more) await refuseNarrow(deps, viewer.id, now.choices.audience);
    const keys = await write(deps, ref, current, now);
    const was = now.choices.audience === current.audience ? undefined : current.audience;
    publish({ kind: "edited", ...ref, ...(was && { was }) });
    await writes?.count(viewer, "edits");
    if (now.words || was) await writeTags(db, ref, tagsFor({ ...now.choices, ...now }));
    if (now.words) await replaceCaption(deps, viewer, ref, current, now.caption);
    db.afterCommit(() => {
      if (keys.length > 0) filesGone = removeFiles(keys);
    });
  });
  await filesGone;
}

/** The new version of a post and what differs in it; null where nothing does. Refuses an invalid version. */
function postAfter(current: LockedPost, wanted: Wanted) {
  const typed = wanted.caption ?? current.caption;
  const caption = isBlank(typed) ? "" : typed;
  const pictures = photosAfter(current.pictures, wanted.pictures);
  const photos = pictures === null || idsOf(pictures) !== idsOf(current.pictures);
  const alts = pictures?.some(({ alt }, index) => alt !== current.pictures[index]?.alt) ?? false;
  const refocused = (pictures ?? []).flatMap(({ imageId, focalPoint }) => {
    const before = current.pictures.find((one) => one.imageId === imageId)?.focalPoint;
    return focalPoint && !sameFocalPoint(focalPoint, before) ? [{ imageId, focalPoint }] : [];
  });
  const { language = current.language } = wanted;
  const choices = withVeil({ ...pick(current, postChoiceNames), ...pick(wanted, postChoiceNames) });
  const words = caption !== current.caption || choices.warning !== current.warning;
  // Whoever chooses an audience decides for whom it is, whatever album it is in.
  const forAlbum = current.forAlbum && wanted.audience === undefined;
  const chosen =
    language !== current.language ||
    forAlbum !== current.forAlbum ||
    postChoiceNames.some((name) => choices[name] !== current[name]);
  if (!words && !photos && !alts && refocused.length === 0 && !chosen) return null;
  if (wanted.version !== current.version) throw refuse("post-changed");
  if (!pictures) throw refuse("picture-unknown");
  if (caption === "" && pictures.length === 0) throw refuse("post-empty");
  const known = new Set(current.pictures.map(({ imageId }) => imageId));
  const added = pictures.some(({ imageId }) => !known.has(imageId));
  return { caption, language, pictures, choices, forAlbum, words, photos, added, alts, refocused };
}

type Now = NonNullable<ReturnType<typeof postAfter>>;

/** Inside the transaction; returns the keys of files to delete. */
async function write(
  deps: Deps,
  ref: PostRef,
  current: LockedPost,
  { caption, language, pictures, choices, forAlbum, words, photos, alts, refocused }: Now,
): Promise<string[]> {
  const { db, claim, narrowImages } = deps;
  const { authorId } = ref;
  const before = current.pictures.map(({ imageId }) => imageId);
  const after = pictures.map(({ imageId }) => imageId);
  const retain = { camera: true, location: choices.showPlace };
  await claim(authorId, without(after, before), retain);
  if (photos || alts) await queries.writePhotos(db, ref, pictures);
  for (const { imageId, focalPoint } of refocused)
    await writeFocalPoint(db, authorId, imageId, focalPoint);
  if (photos || alts) await closeAnswered(deps, ref, pictures);
  const keys = await queries.deleteImages(db, authorId, without(before, after));
  if (current.audience === "everyone" && choices.audience !== "everyone") {
    const stayed = current.pictures.filter(({ imageId }) => after.includes(imageId));
    await narrowImages(keysOf(stayed));
  }
  if (current.showPlace && !choices.showPlace) await queries.forgetLocations(db, ref);
  const hasPhoto = pictures.length > 0;
  const moved = hasPhoto !== before.length > 0;
  if (moved) await queries.moveBookmarks(db, ref, hasPhoto);
  await queries.writePost(db, ref, {
    caption,
    language,
    forAlbum,
    pictureCount: pictures.length,
    ...choices,
    // A better description is for those who can't see the photo: nothing else changed.
    marked: words || photos,
  });
  if (moved || choices.audience !== current.audience) await renewRecent(db, authorId);
  return keys;
}

const without = (some: readonly string[], others: readonly string[]) =>
  some.filter((one) => !others.includes(one));

/** Removes suggestions for photos that are described now, or gone. */
async function closeAnswered(
  { db, notifications }: Deps,
  ref: PostRef,
  pictures: readonly Photo[],
): Promise<void> {
  const open = pictures.filter(({ alt }) => alt === "").map(({ imageId }) => imageId);
  for (const id of await closeSuggestions(db, ref, open)) {
    await notifications?.retract.act(ref.authorId, id);
  }
}

/** Stores the previous words, and notifies the people who are newly mentioned. */
async function replaceCaption(
  { db, writes, notifications }: Deps,
  viewer: Viewer,
  ref: PostRef,
  current: LockedPost,
  caption: string,
): Promise<void> {
  const earlier = await queries.earlierVersions(db, ref);
  const before = [current.caption, ...earlier.map((version) => version.caption)];
  const known = new Set(before.flatMap(mentionedIn));
  const fresh = mentionedIn(caption).filter((name) => !known.has(name));
  await queries.storeVersion(db, ref, current);
  await writes?.count(viewer, "mentions", fresh.length);
  if (fresh.length > 0) await notifications?.notify.edited(ref, caption, before);
}

/** Stored as 32 bits: what is read back is the nearest such number. */
const sameFocalPoint = (one: FocalPoint, other: FocalPoint | null | undefined) =>
  one.every((value, axis) => Math.fround(value) === Math.fround(other?.[axis] ?? NaN));

const keysOf = (pictures: readonly LockedPhoto[]) => pictures.map(({ key }) => key);
const idsOf = (pictures: readonly Photo[]) => pictures.map(({ imageId }) => imageId).join();

/** The photos that a post is to have; null where one of them does not exist, or is named twice. */
function photosAfter(
  current: readonly LockedPhoto[],
  wanted: Wanted["pictures"],
): readonly Photo[] | null {
  if (!wanted) return current;
  const pictures = wanted.flatMap(({ key, imageId, alt, focalPoint }): Photo[] => {
    const here = current.find(
      (one) => one.key === key || (key && one.formerKey === key) || one.imageId === imageId,
    );
    const changed = focalPoint && { focalPoint };
    if (here) return [{ imageId: here.imageId, alt: alt ?? here.alt, ...changed }];
    if (imageId === undefined || key !== undefined) return [];
    return [{ imageId, alt: alt ?? "", ...changed }];
  });
  const different = new Set(pictures.map(({ imageId }) => imageId));
  return different.size === wanted.length ? pictures : null;
}
