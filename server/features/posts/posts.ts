import type { Logger } from "pino";
import type { z } from "zod";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { createEdits } from "#server/features/posts/edits/edits.ts";
import { renewRecent } from "#server/features/posts/explore/explore.queries.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import type { PostAt } from "#server/features/posts/lock.queries.ts";
import { refuseNarrow } from "#server/features/posts/narrow-posts.ts";
import { createPostReads, isPostNumber } from "#server/features/posts/post-reads.ts";
import { createPostRemoval } from "#server/features/posts/post-removal.ts";
import * as queries from "#server/features/posts/post-writes.queries.ts";
import { findLastAudience } from "#server/features/posts/posts.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { writtenIn } from "#shared/languages.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import { defaultChoices, postChoiceNames, withVeil, type Audience } from "#shared/posts.ts";
import { publishInput } from "#shared/posts.inputs.ts";
import { pick } from "#shared/records.ts";
import { isBlank } from "#shared/text.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  images: Pick<Images, "claim" | "removeFiles" | "narrow">;
  /** whether posts may be for fewer than everyone; true by default */
  narrow?: boolean;
  notifications?: Notifier;
  /** how many of them one member may write */
  writes?: Pick<WriteRates, "count">;
  log: Pick<Logger, "warn">;
  publish: Publish;
  /** is notified of a published post */
  onPosted?: () => void;
  newId?: NewId;
};

type Input = z.input<typeof publishInput>;

/** Posts of photos and words, numbered per author. */
export function createPosts(deps: Deps) {
  const reads = createPostReads(deps.db);
  const { removeFiles, ...removal } = createPostRemoval({ ...deps, refAt: reads.refAt });
  const { claim, narrow: narrowImages } = deps.images;
  return {
    ...reads,
    ...bind(deps, { publish, nextAudience, refuseNarrow }),
    /** Publishes a post, and returns it as it is shown. */
    publishShown: async (viewer: Viewer, input: Input): Promise<FeedPost> => {
      const { number } = await publish(deps, viewer, input);
      const shown = await reads.get(viewer, viewer.username, number);
      if (!shown) throw new Error("a post that was published is not there");
      return shown;
    },
    /** Sets the audience of the next post without one. */
    setNextAudience: (viewer: Viewer, audience: Audience) =>
      queries.keepAudience(deps.db, viewer.id, audience),
    ...createEdits({ ...deps, refAt: reads.refAt, claim, narrowImages, removeFiles }),
    ...removal,
    /** whether posts may be for fewer than everyone */
    narrow: deps.narrow ?? true,
  };
}

export type Posts = ReturnType<typeof createPosts>;

/**
 * The audience that a new post of the viewer's starts with: the last that they chose, as far as their account
 * lets it be seen and it is offered; and whether that account is private.
 */
async function nextAudience(
  { db, narrow = true }: Deps,
  viewer: Pick<Viewer, "id">,
): Promise<{ audience: Audience; isPrivate: boolean }> {
  const { audience: last, isPrivate } = found(await findLastAudience(db, viewer.id));
  const audience = (narrow ? last : null) ?? defaultChoices.audience;
  return { audience: effectiveAudience(audience, isPrivate), isPrivate };
}

/**
 * Submitted again with the same clientKey, it returns the first post and changes nothing. An audience that is
 * named is where the member's next post starts.
 */
async function publish(
  deps: Deps,
  viewer: Viewer,
  input: Input,
): Promise<{ id: string; number: number }> {
  const { db, images, notifications, writes, onPosted } = deps;
  const { newId = freshId, publish: announce } = deps;
  const { pictures, ...post } = newPostOf(viewer, input);
  return db.transaction(async () => {
    db.seenAtOnce();
    await queries.lockCounters(db, viewer.id);
    await refuseNarrow(deps, viewer.id, post.audience);
    // Created after the lock: an author's ids have the order of their numbers.
    const id = newId();
    const written = await queries.insertPost(db, { ...post, id, pictureCount: pictures.length });
    if (written.id !== id) return written;
    const ref = { authorId: viewer.id, postId: id };
    if (pictures.length > 0) {
      const retain = { camera: true, location: post.showPlace };
      await images.claim(
        viewer.id,
        pictures.map(({ imageId }) => imageId),
        retain,
      );
      await queries.insertPhotos(db, ref, pictures);
      await renewRecent(db, viewer.id);
    }
    if (input.audience) await queries.keepAudience(db, viewer.id, input.audience);
    announce({ kind: "posted", ...ref });
    await writes?.count(viewer, "posts");
    await writes?.count(viewer, "mentions", mentionedIn(post.caption).length);
    await notifications?.notify.posted(ref, post.caption);
    if (onPosted) db.afterCommit(onPosted);
    return written;
  });
}

/** What is to be written; refuses an invalid post. */
function newPostOf(viewer: Viewer, input: Input) {
  const {
    caption: typed,
    pictures,
    timeZone,
    clientKey,
    language = writtenIn(viewer),
    ...chosen
  } = parseInput(publishInput, input);
  const caption = isBlank(typed) ? "" : typed;
  if (caption === "" && pictures.length === 0) throw refuse("post-empty");
  if (!pictures.every(({ imageId }) => isId(imageId))) throw refuse("picture-unknown");
  const choices = withVeil({ ...defaultChoices, ...pick(chosen, postChoiceNames) });
  return { caption, pictures, timeZone, clientKey, language, ...choices, authorId: viewer.id };
}

/** Refuses a reference that cannot name a post, before the database sees it. */
export function checkPostRef({ authorId, postId }: PostRef): void {
  if (!isId(authorId) || !isId(postId)) throw refuse("not-found");
}

/** The same for a post that is named either way. */
export function checkPostAt(at: PostAt): void {
  if ("postId" in at) checkPostRef(at);
  else if (!isPostNumber(at.number)) throw refuse("not-found");
}
