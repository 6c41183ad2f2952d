import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import * as queries from "#server/features/posts/alt-suggestions/alt-suggestions.queries.ts";
import { lockPost } from "#server/features/posts/lock.queries.ts";
import type { Posts } from "#server/features/posts/posts.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { altSuggestionInput } from "#shared/posts.inputs.ts";
import type { AltSuggestion, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  posts: Pick<Posts, "refAt" | "get" | "edit">;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  newId?: NewId;
};

/**
 * Descriptions that members suggest for photos of others which have none. They wait for the photo's author,
 * who accepts or dismisses them; nobody else sees them. Somebody whom the author muted may suggest like
 * everybody, and does not learn that the author never sees it.
 */
export function createAltSuggestions(deps: Deps) {
  const { db, posts, notifications } = deps;

  /** For the post's author all that they may see, for everybody else their own; oldest first. */
  async function ofPost(viewer: Viewer, ref: PostRef): Promise<AltSuggestion[]> {
    return queries.suggestionsOf(db, viewer.id, ref);
  }

  /** Its author dismisses it, or its writer withdraws it. */
  async function dismiss(viewer: Viewer, address: string, number: number, id: string) {
    const ref = await posts.refAt(viewer, address, number);
    await db.transaction(async () => {
      const suggestion = { ...ref, id, askedBy: viewer.id };
      if (!isId(id) || !(await queries.deleteSuggestion(db, suggestion))) {
        throw refuse("suggestion-gone");
      }
      await notifications?.retract.act(ref.authorId, id);
    });
  }

  /**
   * Makes a suggestion the description of its photo: an edit of the post like any other, which removes the
   * suggestions for this photo.
   */
  async function take(viewer: Viewer, address: string, number: number, id: string): Promise<void> {
    const post = found(await posts.get(viewer, address, number));
    if (!post.mine) throw refuse("not-yours");
    const all = await ofPost(viewer, { authorId: viewer.id, postId: post.id });
    const taken = all.find((one) => one.id === id);
    if (!taken) throw refuse("suggestion-gone");
    const pictures = post.pictures.map(({ key, alt }) =>
      key === taken.key ? { key, alt: taken.alt } : { key, alt },
    );
    await posts.edit(viewer, address, number, { version: post.version, pictures });
  }

  return {
    suggest: (viewer: Viewer, address: string, number: number, input: Suggested) =>
      suggest(deps, viewer, { address, number }, input),
    ofPost,
    dismiss,
    take,
  };
}

type Suggested = { key: string; alt: string };

/**
 * Another one for the same photo replaces the first. Refuses with own-photo, picture-unknown,
 * photo-described, and alt-suggestions-full.
 */
async function suggest(
  { db, posts, notifications, writes, newId = freshId }: Deps,
  viewer: Viewer,
  { address, number }: { address: string; number: number },
  input: Suggested,
): Promise<{ id: string }> {
  const { key, alt } = parseInput(altSuggestionInput, input);
  const ref = await posts.refAt(viewer, address, number);
  if (ref.authorId === viewer.id) throw refuse("own-photo");
  const id = newId();
  await db.transaction(async () => {
    // Locked, so that neither an edit of the post nor another suggestion comes between.
    if (!(await lockPost(db, viewer.id, ref))) throw refuse("not-found");
    const photo = await queries.findPhoto(db, ref, key);
    if (!photo) throw refuse("picture-unknown");
    if (photo.alt !== "") throw refuse("photo-described");
    if (await queries.isFull(db, { ...ref, accountId: viewer.id })) {
      throw refuse("alt-suggestions-full");
    }
    const row = { ...ref, imageId: photo.imageId, accountId: viewer.id, id, alt };
    const replaced = await queries.putSuggestion(db, row);
    await writes?.count(viewer, "suggestions");
    if (replaced) await notifications?.retract.act(ref.authorId, replaced);
    await notifications?.notify.suggestedAlt(viewer.id, ref, id);
  });
  return { id };
}
