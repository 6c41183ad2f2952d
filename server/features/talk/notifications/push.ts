import type { PushAddress, PushSender } from "#server/adapters/push/push.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { describeIn } from "#server/features/talk/notifications/describe-in.ts";
import * as queries from "#server/features/talk/notifications/push.queries.ts";
import type { Notifications } from "#server/features/talk/notifications/notifications.ts";
import type { Recipient } from "#server/features/talk/notifications/notify.queries.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { readersLanguage } from "#server/platform/messages.ts";
import { refuse } from "#shared/errors.ts";
import { notificationPath } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

const fanOutJob = "push.tell";
const sendJob = "push.send";
/** Browsers and apps use a handful of them. */
const mostServices = 5;

type Deps = {
  db: Database;
  jobs: Pick<Jobs, "add" | "handle">;
  sender: PushSender;
  findUnread: Notifications["findUnread"];
  /** those that are offered */
  languages: readonly string[];
};

/**
 * Adds the job that pushes; in the transaction of the act, for recipients with a subscribed
 * browser.
 */
export function enqueuePush(jobs: Pick<Jobs, "add">) {
  return async ({ accountId, notificationId }: Recipient): Promise<void> => {
    const key = `${accountId}/${notificationId}`;
    await jobs.add(fanOutJob, { accountId, notificationId }, { key });
  };
}

/**
 * Web Push to the browsers a member switched it on in. A job carries ids; the content is read when
 * it is sent, as its recipient may see it then: nothing where the act was undone, read or hidden by
 * a block meanwhile, nothing to a session that ended or an account that is suspended.
 */
export function createPush(deps: Deps) {
  const { db, jobs, sender } = deps;

  // One job a browser: one that is offline for an hour delays no other, and none gets it twice.
  jobs.handle<PushRequest>(fanOutJob, async (request) => {
    for (const { id } of await queries.subscriptionsOf(db, request.accountId)) {
      const push: Push = { ...request, subscriptionId: id };
      await jobs.add(sendJob, push, { key: `${request.notificationId}/${id}` });
    }
  });
  jobs.handle<Push>(sendJob, (push) => send(deps, push), {
    concurrency: 4,
    longestSeconds: 60,
    retries: 4,
  });

  return {
    publicKey: sender.publicKey,
    subscribe: (viewer: Viewer, address: PushAddress) => subscribe(deps, viewer, address),
    unsubscribe: async (viewer: Viewer): Promise<{ subscribed: boolean }> => {
      await queries.deleteOfSession(db, viewer.id, viewer.sessionId);
      return { subscribed: false };
    },
    isSubscribed: (viewer: Viewer): Promise<boolean> =>
      queries.isSubscribed(db, viewer.id, viewer.sessionId),
    /** The busiest push services, and whether each can be reached from here. */
    checkServices: async () => {
      const services = await queries.busiestServices(db, mostServices);
      return Promise.all(
        services.map(async (service) => ({
          ...service,
          answers: await sender.answersAt(service.origin),
        })),
      );
    },
  };
}

type PushRequest = { accountId: string; notificationId: string };
type Push = PushRequest & { subscriptionId: string };

/**
 * The browser of this session, from now on. Refuses an address that cannot be a push service's, and
 * one that another account's browser has, unless the keys show that it is the same browser.
 */
async function subscribe({ db, sender }: Deps, viewer: Viewer, address: PushAddress) {
  if (sender.problemOf(address)) {
    throw refuse("input-invalid", { message: "Your browser's push service can't be used here." });
  }
  const row = { ...address, accountId: viewer.id, sessionId: viewer.sessionId, id: newId() };
  await db.transaction(async () => {
    await queries.deleteOfSession(db, viewer.id, viewer.sessionId);
    if (await queries.insertSubscription(db, row)) return;
    throw refuse("input-invalid", {
      message: "Your browser couldn't prove that these notifications are its own. Try again.",
    });
  });
  return { subscribed: true };
}

async function send({ db, sender, findUnread, languages }: Deps, push: Push): Promise<void> {
  const { accountId, notificationId, subscriptionId } = push;
  const view = await findUnread(accountId, notificationId);
  const [subscription] = await queries.subscriptionsOf(db, accountId, subscriptionId);
  if (!view || !subscription) return;
  const payload = JSON.stringify({
    title: describeIn(readersLanguage(subscription.language, languages), view).slice(0, 300),
    body: view.text,
    url: notificationPath(view),
    tag: view.id,
  });
  const outcome = await sender.send(subscription, payload, topicOf(view.id));
  if (outcome === "gone") await queries.deleteSubscription(db, accountId, subscriptionId);
}

/** One topic a notification: a browser that was offline gets it once (RFC 8030, section 5.4). */
export const topicOf = (id: string) =>
  Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
