import type { z } from "zod";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { closeSuggestions } from "#server/features/posts/alt-suggestions/alt-suggestions.queries.ts";
import * as queries from "#server/features/posts/edits/edits.queries.ts";
import type { HeldPicture, HeldPost } from "#server/features/posts/edits/edits.queries.ts";
import { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
import { writeFocalPoint } from "#server/features/posts/images/images.queries.ts";
import type { KeptDetails } from "#server/features/posts/images/images.ts";
import { lockCounters } from "#server/features/posts/posts.queries.ts";
import { writeTags } from "#server/features/posts/tags/tags.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { parseInput } from "#shared/inputs.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { postChoiceNames } from "#shared/posts.ts";
import { editInput } from "#shared/posts.inputs.ts";
import { pick } from "#shared/records.ts";
import { tagsOf } from "#shared/tags.ts";
import { isBlank } from "#shared/text.ts";
import type { EarlierVersion, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** which post an address and a number name; refuses with not-found */
  refAt: (viewer: Viewer, address: string, number: number) => Promise<PostRef>;
  /** inside a transaction; refuses an image that is not the account's or is in use already */
  claim: (accountId: string, imageId: string, keep: KeptDetails) => Promise<void>;
  /** after the commit that deleted their rows; never throws */
  removeFiles: (keys: string[]) => Promise<void>;
  notifications: Notifier | undefined;
  writes: Pick<WriteRates, "count"> | undefined;
  publish: Publish;
};

type Wanted = z.output<typeof editInput>;
type Picture = { imageId: string; alt: string; focalPoint?: FocalPoint | null };

/** Posts that are out, changed by their authors. */
export function createEdits(deps: Deps) {
  const { db, refAt, claim, removeFiles, notifications, writes, publish } = deps;

  async function ownPost(viewer: Viewer, address: string, number: number): Promise<PostRef> {
    const ref = await refAt(viewer, address, number);
    if (ref.authorId !== viewer.id) throw refuse("not-yours");
    return ref;
  }

  /**
   * Changes words, photos, their order and descriptions; never down to nothing. Refuses with
   * post-changed what was made from another version than there is, unless the post is already as
   * it asks: sent again, it changes nothing. Photos taken out are gone, files included.
   */
  async function edit(
    viewer: Viewer,
    address: string,
    number: number,
    input: z.input<typeof editInput>,
  ): Promise<void> {
    const wanted = parseInput(editInput, input);
    const ref = await ownPost(viewer, address, number);
    let filesGone: Promise<void> | undefined;
    await db.transaction(async () => {
      db.seenAtOnce();
      await lockCounters(db, viewer.id);
      const held = await queries.lockForEdit(db, ref);
      if (!held) throw refuse("not-found");
      const keys = await change(viewer, ref, held, wanted);
      db.afterCommit(() => {
        if (keys.length > 0) filesGone = removeFiles(keys);
      });
    });
    await filesGone;
  }

  /** Inside the transaction; the keys of files that are to go. */
  async function change(
    viewer: Viewer,
    ref: PostRef,
    held: HeldPost,
    wanted: Wanted,
  ): Promise<string[]> {
    const typed = wanted.caption ?? held.caption;
    const caption = isBlank(typed) ? "" : typed;
    const pictures = picturesAfter(held.pictures, wanted.pictures);
    const words = caption !== held.caption;
    const photos = pictures === null || idsOf(pictures) !== idsOf(held.pictures);
    const alts = pictures?.some(({ alt }, index) => alt !== held.pictures[index]?.alt) ?? false;
    const refocused = (pictures ?? []).flatMap(({ imageId, focalPoint }) => {
      const before = held.pictures.find((one) => one.imageId === imageId)?.focalPoint;
      return focalPoint && !sameFocalPoint(focalPoint, before) ? [{ imageId, focalPoint }] : [];
    });
    const choices = { ...pick(held, postChoiceNames), ...pick(wanted, postChoiceNames) };
    const chosen = postChoiceNames.some((name) => choices[name] !== held[name]);
    if (!words && !photos && !alts && refocused.length === 0 && !chosen) return [];
    if (wanted.version !== held.version) throw refuse("post-changed");
    if (!pictures) throw refuse("picture-unknown");
    if (caption === "" && pictures.length === 0) throw refuse("post-empty");

    const before = new Set(held.pictures.map(({ imageId }) => imageId));
    const keep = { camera: true, place: choices.showPlace };
    for (const { imageId } of pictures) {
      if (!before.has(imageId)) await claim(viewer.id, imageId, keep);
    }
    if (photos || alts) await queries.writePictures(db, ref, pictures);
    for (const { imageId, focalPoint } of refocused)
      await writeFocalPoint(db, viewer.id, imageId, focalPoint);
    const shown = new Set(pictures.map(({ imageId }) => imageId));
    const gone = [...before].filter((imageId) => !shown.has(imageId));
    if (photos || alts) await closeAnswered(ref, pictures);
    const keys = await queries.deleteImages(db, viewer.id, gone);
    if (held.showPlace && !choices.showPlace) await queries.forgetPlaces(db, ref);
    const hasPicture = pictures.length > 0;
    if (hasPicture !== before.size > 0) await queries.moveBookmarks(db, ref, hasPicture);
    await queries.writePost(db, ref, {
      caption,
      pictureCount: pictures.length,
      ...choices,
      // A better description is for those who can't see the photo: nothing else changed.
      marked: words || photos,
    });
    if (hasPicture !== before.size > 0) await renewRecent(db, viewer.id);
    publish({ kind: "edited", ...ref });
    await writes?.count(viewer, "edits");
    if (words) await rename(viewer, ref, held, caption);
    return keys;
  }

  /** What others suggested for photos that are described now, or gone, is not asked any more. */
  async function closeAnswered(ref: PostRef, pictures: readonly Picture[]): Promise<void> {
    const open = pictures.filter(({ alt }) => alt === "").map(({ imageId }) => imageId);
    for (const id of await closeSuggestions(db, ref, open)) {
      await notifications?.retract.act(ref.authorId, id);
    }
  }

  /** Keeps the words until now, finds the post by its tags of now, and tells those whom none named yet. */
  async function rename(
    viewer: Viewer,
    ref: PostRef,
    held: HeldPost,
    caption: string,
  ): Promise<void> {
    const earlier = await queries.earlierVersions(db, ref);
    const before = [held.caption, ...earlier.map((version) => version.caption)];
    const known = new Set(before.flatMap(mentionedIn));
    const fresh = mentionedIn(caption).filter((name) => !known.has(name));
    await queries.keepVersion(db, ref, held);
    await writeTags(db, ref, tagsOf(caption));
    await writes?.count(viewer, "mentions", fresh.length);
    if (fresh.length > 0) await notifications?.notify.edited(ref, caption, before);
  }

  /** What a post of the viewer's said before its edits, newest first. */
  async function earlierVersions(
    viewer: Viewer,
    address: string,
    number: number,
  ): Promise<EarlierVersion[]> {
    return queries.earlierVersions(db, await ownPost(viewer, address, number));
  }

  return { edit, earlierVersions };
}

/** Kept as 32 bits: what comes back is the nearest such number. */
const sameFocalPoint = (one: FocalPoint, other: FocalPoint | null | undefined) =>
  one.every((value, axis) => Math.fround(value) === Math.fround(other?.[axis] ?? NaN));

const idsOf = (pictures: readonly Picture[]) => pictures.map(({ imageId }) => imageId).join();

/** The pictures that a post is to have; null where one of them is not there, or stands there twice. */
function picturesAfter(
  held: readonly HeldPicture[],
  wanted: Wanted["pictures"],
): readonly Picture[] | null {
  if (!wanted) return held;
  const pictures = wanted.flatMap(({ key, imageId, alt, focalPoint }): Picture[] => {
    const here = held.find((one) => one.key === key || one.imageId === imageId);
    const changed = focalPoint && { focalPoint };
    if (here) return [{ imageId: here.imageId, alt: alt ?? here.alt, ...changed }];
    if (imageId === undefined || key !== undefined) return [];
    return [{ imageId, alt: alt ?? "", ...changed }];
  });
  const different = new Set(pictures.map(({ imageId }) => imageId));
  return different.size === wanted.length ? pictures : null;
}
