/**
 * Push for apps in a browser whose own push service is out of reach: pages subscribe at a service on this
 * machine, and what arrives there is delivered to their service worker as Chromium would.
 */
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "@playwright/test";
import { openPushService } from "#server/test/push-service.ts";

const host = "push.test";

export type PushService = Awaited<ReturnType<typeof openPushService>>;

/**
 * The service, and the variables with which a Postcard reaches it: whatever it sends to this host by https
 * goes to this machine.
 */
export async function startPush() {
  const service = await openPushService();
  const redirect = fileURLToPath(new URL("push-redirect.mjs", import.meta.url));
  const settings = {
    NODE_OPTIONS: `--import=${redirect}`,
    PUSH_REDIRECT: JSON.stringify({ [host]: Number(new URL(service.origin).port) }),
  };
  return { service, settings };
}

/** Lets the pages of a context subscribe. Returns the texts that arrived, decrypted. */
export async function subscribePages(
  context: BrowserContext,
  origin: string,
  service: PushService,
): Promise<() => string[]> {
  const { path, address, texts } = service.browser();
  const { p256dh, auth } = address;
  await context.grantPermissions(["notifications"], { origin });
  await context.addInitScript(
    (subscription) => {
      let current: object | null = null;
      PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
      PushManager.prototype.subscribe = async (options) => {
        const whole = {
          options,
          toJSON: () => subscription,
          unsubscribe: async () => !(current = null),
        };
        current = Object.assign(Object.create(whole) as object, subscription);
        return current as PushSubscription;
      };
    },
    { endpoint: `https://${host}${path}`, keys: { p256dh, auth } },
  );
  return texts;
}

/**
 * Delivers a text to the service worker of a page, and clicks the notification that it shows. Not every
 * Chromium without a screen shows any, so the worker's call is stood in for.
 */
export async function deliver(page: Page, origin: string, data: string): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const first = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (first) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error("The page has no service worker.");
  await worker.evaluate(() => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    registration.showNotification = async (title, options) => {
      const notification = { title, ...options, close: () => undefined };
      const click = Object.assign(new Event("notificationclick"), {
        notification,
        waitUntil: () => undefined,
      });
      globalThis.dispatchEvent(click);
    };
  });
  await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}
