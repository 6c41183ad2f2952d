import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { openPushService, senderOf } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
const service = await openPushService();
const url = "/api/v1/push/subscription";
type Method = "GET" | "POST" | "PUT" | "DELETE";
type Subscription = { id: number; alerts: Record<string, boolean> };
type Connected = Awaited<ReturnType<typeof connectedApp>>;
type Told = { notification_type: string; title: string; body: string };

let bob: Viewer;
beforeAll(async () => {
  bob = await features.member("Bob Birch");
});

const every = { mention: true, follow: true, favourite: true };

function call(by: { headers: Record<string, string> }, method: Method, payload?: object) {
  return app.inject({ method, url, headers: by.headers, ...(payload && { payload }) });
}

const bodyFor = ({ endpoint, p256dh, auth }: Record<"endpoint" | "p256dh" | "auth", string>) => ({
  endpoint,
  keys: { p256dh, auth },
});

/** A member whose app is told what `data` says. */
async function ringing({
  name = "Ada Lovelace",
  member,
  standard = true,
  device = service.browser(),
  data = { alerts: every },
}: {
  name?: string;
  member?: Viewer;
  standard?: boolean;
  device?: ReturnType<typeof service.browser>;
  data?: object;
} = {}) {
  const viewer = member ?? (await features.member(name));
  const connected = await connectedApp(features, viewer);
  const subscription = { ...bodyFor(device.address), standard };
  const answer = await call(connected, "POST", { subscription, data });
  expect(answer.statusCode, answer.body).toBe(200);
  return { viewer, device, ...connected, subscription: answer.json<Subscription>() };
}

const work = async () => (await features.jobs.runDue()).failed;
const types = (device: { read: () => unknown[] }) =>
  (device.read() as Told[]).map((one) => one.notification_type).toSorted();
const kept = async ({ id }: Viewer) =>
  (await query(db, "select 1 from app_push_subscriptions where account_id = $1", [id])).length;

describe.each([
  { draft: "RFC 8291", standard: true, encoding: "aes128gcm" },
  { draft: "its fourth draft", standard: false, encoding: "aesgcm" },
])("a push sealed as $draft", ({ standard, encoding }) => {
  test("says in Mastodon's words what was done, and who sent it", async () => {
    const ada = await ringing({ standard });
    const post = await features.textPost(ada.viewer, "Low tide");
    await features.comments.add(bob, post, "What a <b>day</b> & night", null);
    expect(await work()).toEqual([]);
    const [text = ""] = ada.device.texts();
    const [, id = ""] = /^\{"notification_id":(\d+),"access_token":"",/.exec(text) ?? [];
    expect(JSON.parse(text)).toEqual({
      access_token: "",
      preferred_locale: "en",
      notification_id: Number(id),
      notification_type: "mention",
      icon: expect.stringMatching(/^https?:\/\/\S+$/),
      title: "Bob Birch commented on your post",
      body: "What a <b>day</b> & night",
    });
    // Its id, digit for digit, is that of the notification it tells of.
    const found = await app.inject({ url: `/api/v1/notifications/${id}`, headers: ada.headers });
    expect(found.json()).toMatchObject({ id, type: "mention", status: { content: expect.stringContaining("day") } });

    const push = service.received.find(({ path }) => path === ada.device.path);
    expect(push?.headers).toMatchObject({ "content-encoding": encoding, ttl: "86400" });
    expect(push?.body.includes("day"), "in the clear").toBe(false);
    expect(push && senderOf(push)).toMatchObject({
      key: features.push.publicKey,
      aud: service.origin,
    });
  });
});
