import type { Database } from "#server/platform/db/database.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { ownAddresses } from "#server/features/people/index.ts";
import type { Documents } from "#server/compat/documents/documents.ts";
import * as queries from "#server/compat/documents/post-lookups.queries.ts";
import { namesCaller, postKey, readIntent } from "#server/compat/documents/intent.ts";
import { postedTimeZone } from "#server/compat/documents/posted-time-zone.ts";
import {
  asNamed,
  changed,
  unchanged,
  type ReadChange,
  type ChangeQueue,
} from "#server/compat/documents/change-queue.ts";
import type { Posts } from "#server/features/posts/index.ts";
import type { Change, SentPost, UploadInput } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  documents: Documents;
  queue: ChangeQueue;
  posts: Pick<Posts, "publish" | "remove">;
  /** The upload behind an address that this server gave to this account; refuses any other. */
  imageIdAt: (viewer: Viewer, address: string) => Promise<string>;
};

/** Changes of a caller's own posts: one more, or one less. */
export function createPostChanges({
  db,
  documents,
  queue: { enqueueOwn },
  posts,
  imageIdAt,
}: Deps) {
  /** Adds the one post that is new in the list, whatever is missing, or deletes the one missing. */
  const upload: ReadChange<UploadInput> = (viewer, address, sent, precondition = null) =>
    enqueueOwn(viewer, address, precondition, async () => {
      const entries = [...new Map(sent.posts.map((post) => [postKey(post), post])).values()];
      const known = await queries.postsOfAuthor(db, {
        viewerId: viewer.id,
        authorId: viewer.id,
        named: entries.map(asNamed),
      });
      const here = new Set(known.map(({ position }) => position));
      const unknown = entries.filter((_, position) => !here.has(position));
      const gone = await queries.postsKnown(db, {
        authorId: viewer.id,
        named: unknown.map(asNamed),
      });
      const [added, ...others] = unknown.filter((_, position) => !gone.has(position));
      if (others.length > 0) throw refuse("conflict");
      if (added) return publish(viewer, added);
      const document = await documents.ofAccount(viewer, viewer.id);
      const numbers = new Set(known.map(({ number }) => number));
      const intent = readIntent({
        given: numbers,
        held: numbers,
        sent: document?.posts.map(({ postId }) => postId) ?? [],
        exact: precondition !== null,
      });
      if (!intent || !("remove" in intent)) return unchanged;
      await posts.remove(viewer, viewer.username, intent.remove);
      return changed;
    });

  async function publish(viewer: Viewer, post: SentPost): Promise<Change> {
    const own = await ownAddresses(db, viewer.id);
    if (post.author && !namesCaller([post.author], own)) throw refuse("not-yours");
    const imageId = post.uploadImg ? await imageIdAt(viewer, post.uploadImg) : null;
    const { id, number } = await posts.publish(viewer, {
      caption: post.caption ?? "",
      pictures: imageId ? [{ imageId, alt: "" }] : [],
      timeZone: postedTimeZone(post) ?? "UTC",
      clientKey: asNamed(post).clientKey,
    });
    return { ...changed, postId: number, time: timeOf(id) };
  }

  return { upload };
}
