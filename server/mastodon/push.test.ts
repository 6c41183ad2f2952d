import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "#server/platform/db/database.ts";
import { appAlerts } from "#server/features/talk/index.ts";
import { afterFile } from "#server/test/after-file.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { createSeal } from "#server/platform/sealed.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testSecrets } from "#server/test/factories.ts";
import { openPushService, senderOf } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const fresh = await freshDatabase();
const { db } = fresh;
const secrets = testSecrets();
const { app, features } = await testApp(db, {}, { secrets });
/** The same product in what could be another process. */
const other = createDatabase({ connection: fresh.connection, log: pino({ level: "silent" }) });
afterFile(() => other.close());
const elsewhere = await testApp(other, {}, { secrets });
const service = await openPushService();
const url = "/api/v1/push/subscription";
type Method = "GET" | "POST" | "PUT" | "DELETE";
type Subscription = { id: number; alerts: Record<string, boolean> };
type Connected = Awaited<ReturnType<typeof connectedApp>>;
type PushPayload = { notification_type: string; title: string; body: string };

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

/** The common alphabet of base64, padded: some apps send that. */
const common = (key: string) => Buffer.from(key, "base64url").toString("base64");

/** A member with an app that is subscribed as `data` says. */
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
  (device.read() as PushPayload[]).map((one) => one.notification_type).toSorted();
const subscriptionCount = async ({ id }: Viewer) =>
  (await query(db, "select 1 from app_push_subscriptions where account_id = $1", [id])).length;

describe.each([
  { draft: "RFC 8291", standard: true, encoding: "aes128gcm" },
  { draft: "its fourth draft", standard: false, encoding: "aesgcm" },
])("a push encrypted as $draft", ({ standard, encoding }) => {
  test("says in Mastodon's words what was done, and who sent it", async () => {
    const ada = await ringing({ standard });
    const post = await features.textPost(ada.viewer, "Low tide");
    await features.comments.add(bob, post, "What a <b>day</b> & night", null);
    expect(await work()).toEqual([]);
    const [text = ""] = ada.device.texts();
    const [, id = ""] = /^\{"notification_id":(\d+),/.exec(text) ?? [];
    expect(JSON.parse(text)).toEqual({
      access_token: ada.token,
      preferred_locale: "en",
      notification_id: Number(id),
      notification_type: "mention",
      icon: expect.stringMatching(/^https?:\/\/\S+$/),
      title: "Bob Birch commented on your post",
      body: "What a <b>day</b> & night",
    });
    // Its id, digit for digit, is that of its notification.
    const found = await app.inject({ url: `/api/v1/notifications/${id}`, headers: ada.headers });
    expect(found.json()).toMatchObject({
      id,
      type: "mention",
      status: { content: expect.stringContaining("day") },
    });
    // An app in JavaScript asks with what is left of it as a number.
    const rounded = String(Number(id));
    const asked = await app.inject({
      url: `/api/v1/notifications/${rounded}`,
      headers: ada.headers,
    });
    expect(asked.json()).toEqual(found.json());

    const push = service.received.find(({ path }) => path === ada.device.path);
    expect(push?.headers).toMatchObject({ "content-encoding": encoding, ttl: "86400" });
    expect(push?.body.includes("day"), "in the clear").toBe(false);
    expect(push && senderOf(push)).toMatchObject({
      key: features.push.publicKey,
      aud: service.origin,
    });
  });
});

/** What apps are notified of, and who is not notified: the same for a like, a follow and a text. */
describe("an app is notified of", () => {
  test("what its alerts name, each act by itself, and nothing else", async () => {
    const ada = await ringing();
    const likesOnly = await ringing({ member: ada.viewer, data: { alerts: { favourite: true } } });
    const nothing = await ringing({ member: ada.viewer, data: {} });
    const cleo = await features.member("Cleo Cassidy");
    const post = await features.photoPost(ada.viewer);
    for (const who of [bob, cleo]) {
      await features.follows.follow(who, ada.viewer.id);
      await features.likes.like(who, post);
      await features.textPost(who, `Look, @${ada.viewer.username}`);
      expect(await work()).toEqual([]);
    }
    const each = ["favourite", "follow", "mention"].flatMap((type) => [type, type]);
    expect(types(ada.device)).toEqual(each);
    expect((ada.device.read() as PushPayload[]).map(({ title }) => title).toSorted()).toEqual(
      ["Bob Birch", "Cleo Cassidy"].flatMap((name) => [
        `${name} followed you`,
        `${name} liked your photo`,
        `${name} mentioned you`,
      ]),
    );
    expect(types(likesOnly.device)).toEqual(["favourite", "favourite"]);
    expect(nothing.device.read()).toEqual([]);
  });

  test("no messages and no suggestions, which its lists don't have either", async () => {
    const ada = await ringing();
    await features.follows.follow(ada.viewer, bob.id);
    await features.follows.follow(bob, ada.viewer.id);
    const chat = `${ada.viewer.username}.${bob.username}`;
    await features.chat.send(bob, chat, { body: "Hello", picture: null, clientKey: null });
    const post = await features.photoPost(ada.viewer);
    const shown = await features.posts.get(bob, ada.viewer.username, post.number);
    const key = shown?.pictures[0]?.key ?? "";
    const suggested = { key, alt: "A pier at low tide" };
    await features.altSuggestions.suggest(bob, ada.viewer.username, post.number, suggested);
    expect(await work()).toEqual([]);
    expect(types(ada.device)).toEqual(["follow"]);
  });

  test.each([
    { policy: "all", told: ["Bob", "Cleo", "Dan"] },
    { policy: "followed", told: ["Bob"] },
    { policy: "follower", told: ["Cleo"] },
    { policy: "none", told: [] },
  ])("acts of those whom its policy $policy names", async ({ policy, told }) => {
    const data = { alerts: { favourite: true }, policy };
    const ada = await ringing({ data });
    const people = await Promise.all(["Bob", "Cleo", "Dan"].map((name) => features.member(name)));
    const [followed, follower] = people as [Viewer, Viewer];
    await features.follows.follow(ada.viewer, followed.id);
    await features.follows.follow(follower, ada.viewer.id);
    const post = await features.textPost(ada.viewer);
    for (const who of people) await features.likes.like(who, post);
    expect(await work()).toEqual([]);
    const titles = (ada.device.read() as PushPayload[]).map(({ title }) => title.split(" ")[0]);
    expect(titles.toSorted()).toEqual(told);
  });

  const between: [string, (ada: Viewer, other: Viewer, post: { postId: string }) => unknown][] = [
    ["was withdrawn", (ada, other) => features.follows.unfollow(other, ada.id)],
    ["was read", (ada) => features.notifications.markAllRead(ada)],
    ["comes from somebody blocked", (ada, other) => features.blocks.block(ada, other.id)],
    ["comes from somebody who blocked them", (ada, other) => features.blocks.block(other, ada.id)],
    ["comes from somebody muted", (ada, other) => features.blocks.mute(ada, other.id)],
    ["is for a suspended account", (ada) => features.suspend(ada)],
    ["comes from a suspended account", (_ada, other) => features.suspend(other)],
  ];
  test.each(between)("nothing that, before it is sent, %s", async (_what, change) => {
    const ada = await ringing();
    const other = await features.member("Olga");
    await features.follows.follow(other, ada.viewer.id);
    await change(ada.viewer, other, { postId: "" });
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toEqual([]);
  });

  test("nothing of a post that its member lost before it is sent", async () => {
    const ada = await ringing();
    const post = await features.textPost(bob, `With @${ada.viewer.username}`);
    const comment = await features.comments.add(ada.viewer, post, "Lovely", null);
    await features.comments.add(bob, post, "Thank you", null, comment.id);
    await features.posts.edit(bob, bob.username, post.number, {
      version: 0,
      audience: "followers",
    });
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toEqual([]);
  });

  test("nothing by a hidden account among those who did the same", async () => {
    const ada = await ringing();
    const [one, other] = [await features.member("One"), await features.member("Other")];
    const post = await features.textPost(ada.viewer);
    await features.likes.like(one, post);
    await features.likes.like(other, post);
    await features.blocks.mute(ada.viewer, other.id);
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toMatchObject([
      { title: "One liked your post", body: "A few words" },
    ]);
  });

  test("nothing with words that its member muted, before or since", async () => {
    const ada = await ringing();
    const post = await features.textPost(ada.viewer);
    await features.comments.add(bob, post, "What a spoiler", null);
    await features.mutedWords.mute(ada.viewer, "spoiler");
    await features.comments.add(bob, post, "Another spoiler", null);
    await features.comments.add(bob, post, "Good evening", null);
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toMatchObject([{ body: "Good evening" }]);
  });

  test("nothing that its member turned off, or does themselves", async () => {
    const ada = await ringing();
    await features.notifications.changeSettings(ada.viewer, { like: false });
    const post = await features.textPost(ada.viewer);
    await features.likes.like(bob, post);
    await features.likes.like(ada.viewer, post);
    await features.comments.add(ada.viewer, post, "Mine", null);
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toEqual([]);
  });

  test("every like, where a browser gets one notification for all", async () => {
    const ada = await ringing();
    const browser = service.browser();
    await features.push.subscribe(ada.viewer, browser.address);
    const post = await features.textPost(ada.viewer);
    for (const who of await features.members(3)) {
      await features.likes.like(who, post);
      expect(await work()).toEqual([]);
    }
    expect([ada.device.read().length, browser.read().length]).toEqual([3, 1]);
  });

  test("by whichever process runs the job, of what was done in another", async () => {
    const ada = { device: service.browser(), viewer: await features.member("Ada") };
    const connected = await connectedApp(features, ada.viewer);
    const payload = { subscription: bodyFor(ada.device.address), data: { alerts: every } };
    const answer = await elsewhere.app.inject({
      method: "POST",
      url,
      headers: connected.headers,
      payload,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const post = await features.textPost(ada.viewer);
    await elsewhere.features.likes.like(bob, post);
    expect(await work()).toEqual([]);
    await features.follows.follow(bob, ada.viewer.id);
    expect((await elsewhere.features.jobs.runDue()).failed).toEqual([]);
    expect(types(ada.device)).toEqual(["favourite", "follow"]);
    const keys = service.received.filter(({ path }) => path === ada.device.path).map(senderOf);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
    await call(connected, "DELETE");
    const gone = await elsewhere.app.inject({ url, headers: connected.headers });
    expect(gone.statusCode).toBe(404);
  });
});

describe("a subscription", () => {
  test("is one for each token: a new one takes its place", async () => {
    const ada = await ringing({ data: { alerts: { ...every, reblog: "1", unheard_of: true } } });
    const shown = (await call(ada, "GET")).json<Subscription>();
    expect(shown).toEqual(ada.subscription);
    expect(shown).toEqual({
      id: expect.any(Number),
      endpoint: ada.device.address.endpoint,
      standard: true,
      policy: "all",
      server_key: features.push.publicKey,
      alerts: {
        ...Object.fromEntries(appAlerts.map((name) => [name, false])),
        ...every,
        reblog: true,
      },
    });
    const device = service.browser();
    const replaced = await call(ada, "POST", {
      subscription: bodyFor(device.address),
      data: { alerts: { follow: true }, policy: "follower" },
    });
    expect(replaced.json()).toMatchObject({ standard: false, policy: "follower" });
    expect(replaced.json<Subscription>().id).not.toBe(shown.id);
    expect(await subscriptionCount(ada.viewer)).toBe(1);
    await features.follows.follow(bob, ada.viewer.id);
    expect(await work()).toEqual([]);
    expect([types(ada.device), types(device)]).toEqual([[], ["follow"]]);
  });

  test("is one however many ask for it at once", async () => {
    const ada = await ringing();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        call(ada, "POST", { subscription: bodyFor(service.browser().address) }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(await subscriptionCount(ada.viewer)).toBe(1);
  });

  test("of one endpoint is one however many tokens ask for it at once", async () => {
    const ada = await ringing();
    const tokens = [ada];
    while (tokens.length < 4) tokens.push(await ringing({ member: ada.viewer }));
    const subscription = bodyFor(service.browser().address);
    const answers = await Promise.all(tokens.map((one) => call(one, "POST", { subscription })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(await subscriptionCount(ada.viewer)).toBe(1);
  });

  test("comes as JSON, as a form, as multipart, and in the address", async () => {
    const ada = await ringing();
    const { address } = service.browser();
    const form = new URLSearchParams({
      "subscription[endpoint]": address.endpoint,
      "subscription[keys][p256dh]": common(address.p256dh),
      "subscription[keys][auth]": common(address.auth),
      "subscription[standard]": "true",
      "data[alerts][mention]": "true",
      "data[alerts][follow]": "false",
      "data[policy]": "followed",
    });
    const multipart = [...form]
      .map(
        ([name, value]) =>
          `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join("");
    const ways = [
      {
        payload: form.toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
      {
        payload: `${multipart}--x--\r\n`,
        headers: { "content-type": "multipart/form-data; boundary=x" },
      },
      { query: Object.fromEntries(form), headers: {} },
    ];
    for (const { headers, ...way } of ways) {
      await call(ada, "DELETE");
      const answer = await app.inject({
        method: "POST",
        url,
        ...way,
        headers: { ...ada.headers, ...headers },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toMatchObject({
        endpoint: address.endpoint,
        standard: true,
        policy: "followed",
        alerts: { mention: true, follow: false, favourite: false },
      });
    }
  });

  test("is changed in what it notifies of, and in nothing else", async () => {
    const ada = await ringing({ data: { alerts: every, policy: "followed" } });
    const { endpoint } = service.browser().address;
    const changed = await call(ada, "PUT", {
      subscription: { endpoint, standard: false },
      data: { alerts: { mention: true } },
    });
    expect(changed.statusCode).toBe(200);
    expect(changed.json()).toMatchObject({
      id: ada.subscription.id,
      endpoint: ada.device.address.endpoint,
      standard: true,
      policy: "all",
      alerts: { mention: true, follow: false, favourite: false },
    });
    // Where Mastodon's documentation of PUT has the policy.
    expect((await call(ada, "PUT", { policy: "none" })).json()).toMatchObject({ policy: "none" });
  });

  test("does not exist before, nor after it was ended, which may be asked twice", async () => {
    const ada = await connectedApp(features, await features.member("Ada"));
    const gone = async () => {
      for (const method of ["GET", "PUT"] as const) {
        const answer = await call(ada, method, { data: { alerts: every } });
        expect([answer.statusCode, answer.json()]).toEqual([404, { error: "Record not found" }]);
      }
    };
    await gone();
    const subscription = bodyFor(service.browser().address);
    expect((await call(ada, "POST", { subscription })).statusCode).toBe(200);
    for (let twice = 0; twice < 2; twice += 1) {
      const ended = await call(ada, "DELETE");
      expect([ended.statusCode, ended.json()]).toEqual([200, {}]);
    }
    await gone();
  });

  test("is seen, changed and ended by its own token alone", async () => {
    const ada = await ringing();
    const second = await connectedApp(features, ada.viewer);
    expect((await call(second, "GET")).statusCode).toBe(404);
    expect((await call(second, "PUT", { data: {} })).statusCode).toBe(404);
    expect((await call(second, "DELETE")).statusCode).toBe(200);
    expect((await call(ada, "GET")).json()).toEqual(ada.subscription);
  });

  test("of an endpoint exists once for an account, and for as many accounts as it serves", async () => {
    const ada = await ringing();
    const again = await ringing({ member: ada.viewer, device: ada.device });
    expect((await call(ada, "GET")).statusCode).toBe(404);
    const cleo = await ringing({ name: "Cleo", device: ada.device });
    for (const { viewer } of [again, cleo]) await features.follows.follow(bob, viewer.id);
    expect(await work()).toEqual([]);
    expect(types(ada.device)).toEqual(["follow", "follow"]);
  });

  test("is one of a limited number for an account; the oldest is removed", async () => {
    const ada = await ringing();
    const most = limits.notifications.pushSubscriptions;
    for (let more = 1; more < most; more += 1) await ringing({ member: ada.viewer });
    expect((await call(ada, "GET")).statusCode).toBe(200);
    await ringing({ member: ada.viewer });
    expect(await subscriptionCount(ada.viewer)).toBe(most);
    expect((await call(ada, "GET")).statusCode).toBe(404);
  });
});

describe("what cannot be pushed to is refused with a sentence", () => {
  const good = bodyFor(service.browser().address);
  const keys = (over: object) => ({ ...good, keys: { ...good.keys, ...over } });
  const point = Buffer.from(good.keys.p256dh, "base64url");
  const offCurve = Buffer.concat([point.subarray(0, 64), Buffer.from([point[64]! ^ 1])]);

  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /endpoint/],
    ["words", "endpoint", /endpoint/],
    ["no endpoint", { keys: good.keys }, /endpoint/],
    ["an invalid endpoint", { ...good, endpoint: "push" }, /endpoint/],
    ["http", { ...good, endpoint: "http://push.example.org/x" }, /https/],
    ["this machine", { ...good, endpoint: "https://localhost/x" }, /endpoint/],
    ["a private network", { ...good, endpoint: "https://10.0.0.8/x" }, /endpoint/],
    ["the cloud's own", { ...good, endpoint: "https://169.254.169.254/latest" }, /endpoint/],
    ["no slashes", { ...good, endpoint: "https:push.example.org/x" }, /endpoint/],
    ["backslashes", { ...good, endpoint: "https:\\\\push.example.org/x" }, /endpoint/],
    ["white space", { ...good, endpoint: " https://push.example.org/x" }, /endpoint/],
    ["another port", { ...good, endpoint: "https://push.example.org:8443/x" }, /endpoint/],
    ["a password", { ...good, endpoint: "https://a:b@push.example.org/x" }, /endpoint/],
    ["a long one", { ...good, endpoint: `https://push.example.org/${"x".repeat(2000)}` }, /2,000/],
    ["no keys", { endpoint: good.endpoint }, /p256dh/],
    ["a short key", keys({ p256dh: "BAAA" }), /p256dh.*65 bytes/],
    ["a long key", keys({ p256dh: "B".repeat(50_000) }), /p256dh/],
    ["a key off the curve", keys({ p256dh: offCurve.toString("base64url") }), /p256dh/],
    ["no secret", keys({ auth: "" }), /auth/],
    ["a long secret", keys({ auth: "A".repeat(40) }), /auth.*16 bytes/],
    ["a list", keys({ auth: ["x", "y"] }), /auth/],
  ])("%s", async (_what, subscription, sentence) => {
    const ada = await ringing();
    const answer = await call(ada, "POST", { subscription, data: { alerts: every } });
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json()).toEqual({ error: expect.stringMatching(sentence) });
    expect((await call(ada, "GET")).json(), "the former one stays").toEqual(ada.subscription);
  });

  test.each(["everybody", "", "ALL"])("the policy %j", async (policy) => {
    const ada = await ringing();
    for (const method of ["POST", "PUT"] as const) {
      const answer = await call(ada, method, { subscription: good, data: { policy } });
      expect([answer.statusCode, answer.json()]).toEqual([
        422,
        { error: "A policy is all, followed, follower or none." },
      ]);
    }
  });
});

const tokenIn = (device: { read: () => unknown[] }) =>
  (device.read() as { access_token: string }[]).map((push) => push.access_token);
const followed = async ({ viewer }: { viewer: Viewer }) => {
  await features.follows.follow(bob, viewer.id);
  expect(await work()).toEqual([]);
};

describe("the token that a push names", () => {
  test("is its subscriber's, where an app has two accounts on one endpoint", async () => {
    const device = service.browser();
    const [ada, cleo] = [await ringing({ device }), await ringing({ name: "Cleo", device })];
    await followed(cleo);
    expect(tokenIn(device)).toEqual([cleo.token]);
    const { headers } = { headers: { authorization: `Bearer ${tokenIn(device)[0]}` } };
    const own = await app.inject({ url: "/api/v1/accounts/verify_credentials", headers });
    expect(own.json()).toMatchObject({ username: cleo.viewer.username });
    expect(own.json()).not.toMatchObject({ username: ada.viewer.username });
  });

  test("is nowhere in the database, and opens for no other row and with no other secret", async () => {
    const ada = await ringing();
    const [row] = await query<{ sealed_token: string; token_id: string; all: string }>(
      db,
      `select sealed_token, token_id, to_jsonb(p)::text as all
       from app_push_subscriptions p where account_id = $1`,
      [ada.viewer.id],
    );
    if (!row) throw new Error("no subscription");
    expect(row.all).not.toContain(ada.token);
    const purpose = "tokens of apps that are pushed to";
    const { open } = createSeal(secrets.authSecret, purpose);
    expect(open(row.sealed_token, row.token_id)).toBe(ada.token);
    expect(() => open(row.sealed_token, ada.viewer.id)).toThrow();
    const { open: openElsewhere } = createSeal(testSecrets().authSecret, purpose);
    expect(() => openElsewhere(row.sealed_token, row.token_id)).toThrow();
  });

  test.each([
    ["was not stored by the release before", null],
    ["was sealed with secrets that are lost", createSeal("another", "purpose").seal("x", "y")],
  ])("is empty where it %s, until the app subscribes anew", async (_why, sealed) => {
    const ada = await ringing();
    await query(db, "update app_push_subscriptions set sealed_token = $2 where account_id = $1", [
      ada.viewer.id,
      sealed,
    ]);
    await followed(ada);
    expect(tokenIn(ada.device)).toEqual([""]);
    const subscription = bodyFor(ada.device.address);
    await call(ada, "POST", { subscription, data: { alerts: every } });
    await features.textPost(bob, `Look, @${ada.viewer.username}`);
    expect(await work()).toEqual([]);
    expect(tokenIn(ada.device)).toEqual(["", ada.token]);
  });
});

describe("a subscription ends", () => {
  type Ringing = Awaited<ReturnType<typeof ringing>>;
  const ends: [string, (ada: Ringing) => Promise<unknown>][] = [
    [
      "when its app gives the token back",
      ({ clientId, clientSecret, token }) =>
        app.inject({
          method: "POST",
          url: "/oauth/revoke",
          payload: { client_id: clientId, client_secret: clientSecret, token },
        }),
    ],
    [
      "when it is disconnected in Settings",
      async ({ viewer }) => {
        for (const { id } of await features.apps.list(viewer)) await features.apps.end(viewer, id);
      },
    ],
    [
      "with a sign-out everywhere else",
      ({ viewer }) => features.identity.sessions.endAll(viewer.id, { except: viewer.sessionId }),
    ],
    [
      "with a password after forgetting it",
      async ({ viewer }) => {
        const { url: link } = await features.verification.issueResetLink(viewer.username);
        const token = link.slice(link.lastIndexOf("/") + 1);
        await features.verification.resetPassword({ token, password: "a stamp for every letter" });
      },
    ],
    ["with a suspension", ({ viewer }) => features.identity.suspension.suspend(viewer.id)],
    ["when its member asks for deletion", ({ viewer }) => features.deletion.requestFor(viewer.id)],
    [
      "with its account",
      async ({ viewer }) => {
        await features.deletion.requestFor(viewer.id, 0);
        await features.deletion.deleteDue();
      },
    ],
    ["when the app is forgotten", () => query(db, "delete from apps")],
  ];
  test.each(ends)("%s", async (_when, end) => {
    const ada = await ringing();
    await features.follows.follow(bob, ada.viewer.id);
    await end(ada);
    expect(await subscriptionCount(ada.viewer)).toBe(0);
    expect(await work()).toEqual([]);
    expect(ada.device.read()).toEqual([]);
    expect((await call(ada, "GET")).statusCode).toBe(401);
  });

  test("not with a password that is changed, where apps stay", async () => {
    const ada = await ringing();
    const { id, sessionId } = ada.viewer;
    await features.identity.sessions.endAll(id, { except: sessionId, keepApps: true });
    expect(await subscriptionCount(ada.viewer)).toBe(1);
  });

  test("and leaves nothing behind if it begins just as its token ends", async () => {
    const ada = await ringing();
    const subscription = bodyFor(service.browser().address);
    const attempts = Array.from({ length: 4 }, () => call(ada, "POST", { subscription }));
    await features.apps.endAll(ada.viewer.id);
    for (const { statusCode } of await Promise.all(attempts))
      expect([200, 401]).toContain(statusCode);
    expect(await subscriptionCount(ada.viewer)).toBe(0);
  });

  test.each([404, 410])("when its push service answers %i", async (status) => {
    const ada = await ringing();
    ada.device.answer(status);
    await features.follows.follow(bob, ada.viewer.id);
    expect(await work()).toEqual([]);
    expect((await call(ada, "GET")).statusCode).toBe(404);
  });

  test("not when it fails otherwise: then the push is tried again, for this app alone", async () => {
    const ada = await ringing();
    const good = await ringing({ member: ada.viewer });
    ada.device.answer(503);
    await features.follows.follow(bob, ada.viewer.id);
    expect(await work()).toMatchObject([{ message: "A push service answered 503." }]);
    ada.device.answer(201);
    await features.jobs.runDue({ later: true });
    expect([ada.device.read().length, good.device.read().length]).toEqual([2, 1]);
  });
});

test("a token without the right to push opens none of this, and a suspended member's nothing", async () => {
  const ada = await features.member("Ada");
  const plain = await connectedApp(features, ada, "read write follow");
  const ringingOne = await ringing({ member: ada });
  const subscription = bodyFor(service.browser().address);
  const all = ["GET", "POST", "PUT", "DELETE"] as const;
  const statuses = async (by: Connected | typeof ringingOne) => {
    const answers = [];
    for (const method of all) {
      answers.push(
        (await call(by, method, method === "GET" ? undefined : { subscription })).statusCode,
      );
    }
    return answers;
  };
  expect(await statuses(plain)).toEqual([403, 403, 403, 403]);
  await features.suspend(ada);
  expect(await statuses(ringingOne)).toEqual([401, 401, 401, 401]);
});

test("the key that signs pushes is given wherever apps look for it", async () => {
  const ada = await ringing();
  const { publicKey } = features.push;
  type Instance = { configuration: { vapid: { public_key: string } } };
  for (const at of ["/api/v2/instance", "/api/v1/instance"]) {
    const { configuration } = (await app.inject({ url: at })).json<Instance>();
    expect(configuration.vapid.public_key, at).toBe(publicKey);
  }
  const { headers } = ada;
  const own = await app.inject({ url: "/api/v1/apps/verify_credentials", headers });
  const made = await app.inject({
    method: "POST",
    url: "/api/v1/apps",
    payload: { client_name: "P", redirect_uris: "https://p.example/", scopes: "push" },
  });
  for (const answer of [own, made]) expect(answer.json()).toMatchObject({ vapid_key: publicKey });
});
