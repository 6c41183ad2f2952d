import type { AddressProblem, PushAddress, PushSender } from "#server/adapters/push/push.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/talk/notifications/app-push.queries.ts";
import type { AppSubscription } from "#server/features/talk/notifications/app-push.queries.ts";
import type { Notifications } from "#server/features/talk/notifications/notifications.ts";
import { topicOf } from "#server/features/talk/notifications/push.ts";
import type { Recipient } from "#server/features/talk/notifications/notify.queries.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { createSeal, type Seal } from "#server/platform/sealed.ts";
import { found, refuse } from "#shared/errors.ts";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { NotificationView } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

const fanOutJob = "push.tell-apps";
const sendJob = "push.send-app";

/**
 * What apps may subscribe to (docs.joinmastodon.org/methods/push); kinds that do not exist here yet
 * are stored all the same.
 */
export const appAlerts = [
  "mention",
  "quote",
  "status",
  "reblog",
  "follow",
  "follow_request",
  "favourite",
  "poll",
  "update",
  "quoted_update",
  "admin.sign_up",
  "admin.report",
] as const;
export type AppAlert = (typeof appAlerts)[number];

/**
 * The names that apps have for our kinds. Messages, suggestions and decisions of moderators are not
 * sent to apps.
 */
export const alertOf = {
  follow: "follow",
  request: "follow_request",
  like: "favourite",
  comment: "mention",
  mention: "mention",
} as const satisfies Partial<Record<NotificationKind, AppAlert>>;

const alertNamed = (kind: NotificationKind): AppAlert | undefined =>
  kind in alertOf ? alertOf[kind as keyof typeof alertOf] : undefined;

const problems: Record<AddressProblem, string> = {
  endpoint: "An endpoint is a push service's https address, of at most 2,000 characters.",
  p256dh: "A p256dh key is a public key of the curve P-256, 65 bytes in base64.",
  auth: "An auth secret is 16 bytes in base64.",
};

/** One act, as its recipient may see it now, and the token by which an app finds its account; "" where it is not stored. */
export type AppPush = { actId: string; alert: AppAlert; view: NotificationView; token: string };
/** What is sent of it: an API writes it in its own format. */
type Writer = (push: AppPush) => string;

/** What an app subscribes to. A missing policy means everybody. */
type Wanted = { alerts: readonly AppAlert[]; policy: string | undefined };
type Caller = { viewer: Viewer; tokenId: string };

type Deps = {
  db: Database;
  /** the installation's, which seals tokens */
  secret: string;
  jobs: Pick<Jobs, "add" | "handle">;
  sender: PushSender;
  findUnread: Notifications["findUnread"];
};

/**
 * Adds the job that pushes to apps; in the transaction of the act, for recipients with a subscribed
 * app.
 */
export function enqueueAppPush(jobs: Pick<Jobs, "add">) {
  return async ({ accountId, notificationId, kind }: Recipient, actId: string): Promise<void> => {
    const alert = alertNamed(kind);
    if (!alert) return;
    const key = `${accountId}/${actId}`;
    await jobs.add(fanOutJob, { accountId, notificationId, actId, alert }, { key });
  };
}

/**
 * Web Push to apps that members authorized, one subscription a token, which ends with the token.
 * Like pushes to browsers (push.ts), but every act is sent by itself: apps list them so.
 */
export function createAppPush(deps: Deps) {
  const { db, jobs, sender } = deps;
  const seals = createSeal(deps.secret, "tokens of apps that are pushed to");
  let write: Writer | undefined;

  /** Replaces the subscription of this token. Refuses with input-invalid, app-token. */
  async function subscribe(
    { token, ...caller }: Caller & { token: string },
    { endpoint, p256dh, auth }: PushAddress,
    wanted: Wanted & { standard: boolean },
  ): Promise<AppSubscription> {
    const address = { endpoint, p256dh: urlSafe(p256dh), auth: urlSafe(auth) };
    const problem = sender.problemOf(address);
    if (problem) throw refuse("input-invalid", { message: problems[problem] });
    const { standard } = wanted;
    const subscription = { id: newId(), endpoint, standard, ...checked(wanted) };
    const sealedToken = seals.seal(token, caller.tokenId);
    const row = { ...subscription, ...address, ...ownerOf(caller), sealedToken };
    const stands = await db.transaction(() => queries.insertSubscription(db, row));
    if (!stands) throw refuse("app-token");
    return subscription;
  }

  /** Refuses with not-found. */
  async function find(caller: Caller): Promise<AppSubscription> {
    const found = await queries.findSubscription(db, ownerOf(caller));
    if (!found) throw refuse("not-found");
    return found;
  }

  /** Kinds that are not named are switched off. Refuses with input-invalid, not-found. */
  async function change(caller: Caller, wanted: Wanted): Promise<AppSubscription> {
    const row = { ...ownerOf(caller), ...checked(wanted) };
    return found(await queries.updateSubscription(db, row));
  }

  jobs.handle<PushRequest>(fanOutJob, async (request) => {
    for (const subscriptionId of await queries.subscriptionsFor(db, request)) {
      const push: Push = { ...request, subscriptionId };
      await jobs.add(sendJob, push, { key: `${request.actId}/${subscriptionId}` });
    }
  });
  jobs.handle<Push>(sendJob, (push) => send({ ...deps, seals }, push, write), {
    concurrency: 4,
    longestSeconds: 60,
    retries: 4,
  });

  return {
    subscribe,
    find,
    change,
    /** Does nothing where there is none. */
    end: (caller: Caller) => queries.deleteOfToken(db, ownerOf(caller)),
    /** Sets the function that writes what is sent. */
    setWriter: (writer: Writer): void => void (write = writer),
  };
}

type PushRequest = { accountId: string; notificationId: string; actId: string; alert: AppAlert };
type Push = PushRequest & { subscriptionId: string };

async function send(
  { db, sender, findUnread, seals }: Deps & { seals: Seal },
  push: Push,
  write: Writer | undefined,
) {
  const { accountId, notificationId, actId, alert, subscriptionId: id } = push;
  const view = await findUnread(accountId, notificationId, actId);
  const [actor] = view?.people ?? [];
  if (!view || !actor) return;
  const address = await queries.addressFor(db, { accountId, id, alert, actorId: actor.id });
  if (!address) return;
  if (!write) throw new Error("No writer of app notifications was set.");
  const { tokenId, sealedToken } = address;
  const token = sealedToken === null ? "" : opened(seals, sealedToken, tokenId);
  const outcome = await sender.send(address, write({ actId, alert, view, token }), topicOf(actId));
  if (outcome === "gone") await queries.deleteSubscription(db, accountId, id);
}

/** "" for what was sealed with secrets that were lost since. */
function opened(seals: Seal, sealed: string, tokenId: string): string {
  try {
    return seals.open(sealed, tokenId);
  } catch {
    return "";
  }
}

const ownerOf = ({ viewer, tokenId }: Caller) => ({ accountId: viewer.id, tokenId });

/** Apps send either base64 alphabet of RFC 4648, padded or not. */
const urlSafe = (key: string) =>
  key
    .slice(0, 200)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");

function checked({ alerts, policy = "all" }: Wanted) {
  const known = queries.policies.find((one) => one === policy);
  if (!known) {
    throw refuse("input-invalid", { message: "A policy is all, followed, follower or none." });
  }
  return { alerts: [...alerts], policy: known };
}
