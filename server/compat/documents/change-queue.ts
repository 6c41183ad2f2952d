import type { Database } from "#server/db/database.ts";
import { findAt } from "#server/compat/documents/documents.queries.ts";
import { tagOf, type Documents } from "#server/compat/documents/documents.ts";
import { lockCaller, type NamedPost } from "#server/compat/documents/post-lookups.queries.ts";
import { postKey } from "#server/compat/documents/intent.ts";
import { createKeyedQueue } from "#server/compat/documents/keyed-queue.ts";
import type { Change } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** The copy that a client changed, where it says so: `isCurrent` takes the document's tag as it is now. */
export type Precondition = { isCurrent: (tag: string) => boolean } | null;

export const unchanged: Change = { matchedCount: 1, modifiedCount: 0 };
export const changed: Change = { matchedCount: 1, modifiedCount: 1 };

/** How the changes of one caller are carried out: each whole, one after another. */
export function createChangeQueue({ db, documents }: { db: Database; documents: Documents }) {
  // Whoever waits for their own lock would hold a connection that others need.
  const queues = createKeyedQueue({ most: limits.documents.waitingChanges });

  /** One caller's changes go one after another, each in one transaction. */
  async function enqueue<Result>(
    viewer: Viewer,
    account: { address: string } | { id: string },
    precondition: Precondition,
    work: (accountId: string) => Promise<Result>,
  ): Promise<Result> {
    const change = async () => {
      await lockCaller(db, viewer.id);
      const id = "id" in account ? account.id : await findAt(db, viewer.id, account.address);
      if (!id) throw refuse("not-found");
      if (precondition) {
        const document = await documents.ofAccount(viewer, id);
        if (!document) throw refuse("not-found");
        if (!precondition.isCurrent(tagOf(document))) throw refuse("precondition-failed");
      }
      return work(id);
    };
    return queues.enqueue(viewer.id, () => db.transaction(change));
  }

  /** The same for what only the account itself may change. */
  async function enqueueOwn<Result>(
    viewer: Viewer,
    address: string,
    precondition: Precondition,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return enqueue(viewer, { address }, precondition, async (id) => {
      if (id !== viewer.id) throw refuse("not-yours");
      return work();
    });
  }

  return { enqueue, enqueueOwn };
}

export type ChangeQueue = ReturnType<typeof createChangeQueue>;

/** The key under which a client's post is known again when it comes back as the client wrote it. */
export function asNamed(post: { postId: number; time: number }): NamedPost {
  return { number: post.postId, time: post.time, clientKey: `document:${postKey(post)}` };
}
