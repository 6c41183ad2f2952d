import { listOfIds, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { hintFollow } from "#server/features/people/follows/follows.ts";
import { lockPair } from "#server/features/people/follows/follows.queries.ts";
import * as queries from "#server/features/people/follows/requests.queries.ts";
import type { Notifier } from "#server/features/types.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  notifications: Notifier;
  publish: Publish;
  jobs: Pick<Jobs, "add" | "handle">;
  newId?: NewId;
};

type Answer = "accept" | "refuse";
type Batch = Omit<queries.RequestBatch, "limit">;

const job = "answer-follow-requests";
/** Requests of one transaction, each with notifications of its own. */
const atOnce = 100;

/**
 * Requests to follow a private account: made and withdrawn by `follow` and `unfollow`, answered here. Each is
 * answered under the counters of both, so that it never stands beside a follow or a block.
 */
export function createFollowRequests(deps: Deps) {
  const { db, jobs } = deps;
  type Waiting = Batch & { answer: Answer };
  jobs.handle<Waiting>(job, async ({ answer, ...batch }, { signal }) => {
    do signal.throwIfAborted();
    while (await db.transaction(() => answerBatch(deps, answer, batch)));
  });

  /** Everybody who waits and whom the viewer can see: the first at once, the rest soon. */
  async function answerAll(viewer: Viewer, answer: Answer): Promise<void> {
    await db.transaction(async () => {
      const upTo = await queries.newestRequest(db, viewer.id);
      if (upTo === null) return;
      const batch = { accountId: viewer.id, upTo, hidden: false };
      if (await answerBatch(deps, answer, batch)) await jobs.add(job, { answer, ...batch });
    });
  }

  const listFor = ({ id: accountId }: Viewer) =>
    listOfIds(limits.accountsPage, (range) => queries.requestsOf(db, { ...range, accountId }));

  return {
    /** Accounts that asked the viewer, newest first. */
    list: (viewer: Viewer, cursor: string | null) => listFor(viewer).page(cursor),
    /** The same between two ids of its own. */
    between: (viewer: Viewer, range: IdRange) => listFor(viewer).between(range),
    /** How many they are, counted to 99. */
    count: (viewer: Viewer): Promise<number> =>
      queries.countRequests(db, viewer.id, limits.notifications.unread),
    accept: (viewer: Viewer, requesterId: string) => accept(deps, viewer, requesterId),
    refuse: (viewer: Viewer, requesterId: string) => refuseOne(deps, viewer, requesterId),
    acceptAll: (viewer: Viewer) => answerAll(viewer, "accept"),
    refuseAll: (viewer: Viewer) => answerAll(viewer, "refuse"),
    /**
     * Accepts whatever waits, soon: the account is public from the caller's transaction on, which has locked
     * its counters.
     */
    acceptWaiting: async (accountId: string): Promise<void> => {
      const upTo = await queries.newestRequest(db, accountId);
      if (upTo === null) return;
      await jobs.add(job, { answer: "accept", accountId, upTo, hidden: true });
    },
  };
}

export type FollowRequests = ReturnType<typeof createFollowRequests>;

/** Whether the other follows the viewer from now on. */
type Answered = { follower: boolean };

/** Accepting again changes nothing; a request that was withdrawn is not found. */
async function accept(deps: Deps, viewer: Viewer, requesterId: string): Promise<Answered> {
  const { db } = deps;
  return db.transaction(async () => {
    const id = await lockRequester(db, viewer, requesterId);
    const accepted = await acceptThese(deps, viewer.id, [id]);
    if (accepted === 0 && !(await queries.isFollower(db, viewer.id, id))) throw refuse("not-found");
    return { follower: true };
  });
}

/** Who asked is not notified. Refusing again changes nothing; who follows already goes on. */
async function refuseOne(deps: Deps, viewer: Viewer, requesterId: string): Promise<Answered> {
  const { db, notifications } = deps;
  return db.transaction(async () => {
    const id = await lockRequester(db, viewer, requesterId);
    const refused = await queries.deleteRequest(db, viewer.id, id);
    await notifications.retract.acts(viewer.id, refused);
    return { follower: await queries.isFollower(db, viewer.id, id) };
  });
}

/** Refuses accounts that may not be seen. */
async function lockRequester(db: Database, viewer: Viewer, requesterId: string): Promise<string> {
  const id = isId(requesterId) ? await lockPair(db, viewer.id, requesterId.toLowerCase()) : null;
  if (id === null || id === viewer.id) throw refuse("not-found");
  return id;
}

/** Whether there may be more. */
async function answerBatch(deps: Deps, answer: Answer, batch: Batch): Promise<boolean> {
  const { db, notifications } = deps;
  const { accountId } = batch;
  if (answer === "refuse") {
    await queries.lockAsked(db, accountId);
    const refused = await queries.deleteRequests(db, { ...batch, limit: atOnce });
    await notifications.retract.acts(accountId, refused);
    return refused.length === atOnce;
  }
  const requesters = await queries.lockRequesters(db, { ...batch, limit: atOnce });
  await acceptThese(deps, accountId, requesters);
  return requesters.length === atOnce;
}

/** How many requests were answered. All counters are locked already. */
async function acceptThese(deps: Deps, accountId: string, requesters: string[]): Promise<number> {
  const { db, notifications, newId = freshId } = deps;
  if (requesters.length === 0) return 0;
  const ids = requesters.map(() => newId());
  const accepted = await queries.acceptRequests(db, { accountId, requesters, ids });
  await notifications.retract.acts(
    accountId,
    accepted.map(({ requestId }) => requestId),
  );
  for (const { requesterId, followId } of accepted) {
    if (!followId) continue;
    await notifications.notify.accepted(accountId, requesterId, followId);
    hintFollow(deps, { followerId: requesterId, followeeId: accountId });
  }
  return accepted.length;
}
