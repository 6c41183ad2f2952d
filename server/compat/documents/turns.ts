import type { Database } from "#server/db/database.ts";
import { findAt } from "#server/compat/documents/documents.queries.ts";
import { tagOf, type Documents } from "#server/compat/documents/documents.ts";
import { lockCaller, type NamedPost } from "#server/compat/documents/held.queries.ts";
import { postKey } from "#server/compat/documents/intent.ts";
import { createQueues } from "#server/compat/documents/queue.ts";
import type { Change } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** The copy that a client changed, where it says so: `isCurrent` takes the document's tag as it is now. */
export type Copy = { isCurrent: (tag: string) => boolean } | null;

export const unchanged: Change = { matchedCount: 1, modifiedCount: 0 };
export const changed: Change = { matchedCount: 1, modifiedCount: 1 };

/** How the changes of one caller are carried out: each whole, one after another. */
export function createTurns({ db, documents }: { db: Database; documents: Documents }) {
  // Whoever waits for their own lock would hold a connection that others need.
  const queues = createQueues({ most: limits.documents.waitingChanges });

  /** One caller's changes go one after another, each in one transaction. */
  async function inTurn<Result>(
    viewer: Viewer,
    account: { address: string } | { id: string },
    copy: Copy,
    work: (accountId: string) => Promise<Result>,
  ): Promise<Result> {
    const change = async () => {
      await lockCaller(db, viewer.id);
      const id = "id" in account ? account.id : await findAt(db, viewer.id, account.address);
      if (!id) throw refuse("not-found");
      if (copy) {
        const document = await documents.ofAccount(viewer, id);
        if (!document) throw refuse("not-found");
        if (!copy.isCurrent(tagOf(document))) throw refuse("precondition-failed");
      }
      return work(id);
    };
    return queues.inTurn(viewer.id, () => db.transaction(change));
  }

  /** The same for what only the account itself may change. */
  async function inOwnTurn<Result>(
    viewer: Viewer,
    address: string,
    copy: Copy,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return inTurn(viewer, { address }, copy, async (id) => {
      if (id !== viewer.id) throw refuse("not-yours");
      return work();
    });
  }

  return { inTurn, inOwnTurn };
}

export type Turns = ReturnType<typeof createTurns>;

/** The key under which a client's post is known again when it comes back as the client wrote it. */
export function asNamed(post: { postId: number; time: number }): NamedPost {
  return { number: post.postId, time: post.time, clientKey: `document:${postKey(post)}` };
}
