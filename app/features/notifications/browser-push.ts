import * as words from "#messages/notifications.json";
import { postForm } from "#app/lib/api-client.ts";
import { registerWorker } from "#app/lib/page/service-worker.ts";

/** Whether and how a browser supports push. */
export type PushAbility = "able" | "unable" | "denied";

export function pushAbility(): PushAbility {
  const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!able) return "unable";
  return Notification.permission === "denied" ? "denied" : "able";
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether this browser itself still has a subscription. */
export async function isSubscribedHere(): Promise<boolean> {
  return pushAbility() === "able" && (await subscription()) !== null;
}

/** Asks the browser, which asks the person, and registers with the server. @throws with a sentence */
export async function enablePush(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw refusal(words.pushNotAllowed);
  }
  await registerWorker();
  const registration = await navigator.serviceWorker.ready;
  // A subscription with another installation's keys would always be refused.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const made = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => {
      throw refusal(words.pushUnreached);
    });
  const { endpoint, keys = {} } = made.toJSON();
  const { p256dh = "", auth = "" } = keys;
  await postForm("/calls/push", { intent: "subscribe", endpoint: endpoint ?? "", p256dh, auth });
}

export async function disablePush(): Promise<void> {
  await postForm("/calls/push", { intent: "unsubscribe" });
  await (await subscription())?.unsubscribe();
}

/** A sentence for people, like those of the server's refusals. */
function refusal(message: string): Error {
  return Object.assign(new Error(message), { name: "CallError" });
}
