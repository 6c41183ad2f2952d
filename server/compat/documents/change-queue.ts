import type { Database } from "#server/platform/db/database.ts";
import { findAt } from "#server/compat/documents/documents.queries.ts";
import { tagOf, type Documents } from "#server/compat/documents/documents.ts";
import { lockCaller, type NamedPost } from "#server/compat/documents/post-lookups.queries.ts";
import { postKey } from "#server/compat/documents/intent.ts";
import type { Change } from "#shared/documents.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/**
 * The copy that a client changed, where it names one: `isCurrent` takes the document's current tag.
 */
export type Precondition = { isCurrent: (tag: string) => boolean } | null;

/** What a caller sent of the account at an address: read as one change, which is carried out. */
export type ReadChange<Sent> = (
  viewer: Viewer,
  address: string,
  sent: Sent,
  precondition?: Precondition,
) => Promise<Change>;

export const unchanged: Change = { matchedCount: 1, modifiedCount: 0 };
export const changed: Change = { matchedCount: 1, modifiedCount: 1 };

/** Carries out the changes of one caller: each whole, one after another. */
export function createChangeQueue({ db, documents }: { db: Database; documents: Documents }) {
  // A caller waiting for their own lock would hold a connection that others need.
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
      const id = found("id" in account ? account.id : await findAt(db, viewer.id, account.address));
      if (precondition) {
        const document = found(await documents.ofAccount(viewer, id));
        if (!precondition.isCurrent(tagOf(document))) throw refuse("precondition-failed");
      }
      return work(id);
    };
    return queues.enqueue(viewer.id, () => db.transaction(change));
  }

  /** The same for changes that only the account itself may make. */
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

/** The key by which a client's post is recognized when it comes back as the client wrote it. */
export function asNamed(post: { postId: number; time: number }): NamedPost {
  return { number: post.postId, time: post.time, clientKey: `document:${postKey(post)}` };
}

/**
 * Runs the tasks of one key one after another, in the order they came, in this process. When `most`
 * wait already, the next is refused with too-many-attempts.
 */
export function createKeyedQueue({ most }: { most: number }) {
  const waiting = new Map<string, (() => void)[]>();

  async function enqueue<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const others = waiting.get(key);
    if (others === undefined) waiting.set(key, []);
    else {
      if (others.length >= most) throw refuse("too-many-attempts", { retryAfter: 1 });
      await new Promise<void>((resolve) => {
        others.push(resolve);
      });
    }
    try {
      return await work();
    } finally {
      const next = waiting.get(key)?.shift();
      if (next) next();
      else waiting.delete(key);
    }
  }

  return { enqueue };
}
