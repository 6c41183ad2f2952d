import { beforeAll, describe, expect, test } from "vitest";
import { createPushSender, makeVapidKeys } from "#server/adapters/push/push.ts";
import { isPublicAddress } from "#server/adapters/public-web.ts";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client } from "#server/test/identity.ts";
import { openPushService, senderOf } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let service: Awaited<ReturnType<typeof openPushService>>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  service = await openPushService();
});

/** Signs a member in with another browser, which wants pushes. */
async function subscribed(member: Viewer) {
  const browser = service.browser();
  const { cookies } = await on.identity.signIn.complete(member.id, client(), "link");
  const cookie = asCookieHeader(cookies);
  const viewer = await on.identity.sessions.viewerOf({ cookie });
  if (!viewer) throw new Error("no session");
  expect(await on.push.subscribe(viewer, browser.address)).toEqual({ subscribed: true });
  return { ...browser, viewer, cookie };
}

/** Runs all waiting jobs; answers what failed. */
const work = async () => (await on.jobs.runDue()).failed;

describe("a push", () => {
  test("brings a subscribed browser what happened, encrypted for it and signed by this installation", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const browser = await subscribed(ada);
    expect(await on.push.isSubscribed(browser.viewer)).toBe(true);
    const post = await on.textPost(ada);
    const { id } = await on.comments.add(bob, post, "What nice words", null);
    expect(await work()).toEqual([]);
    expect(browser.read()).toEqual([
      {
        title: "Bob commented on your post",
        body: "What nice words",
        url: `/post/${ada.username}/${post.number}#comment-${id}`,
        tag: id,
      },
    ]);
    const push = service.received.find(({ path }) => path === browser.path);
    expect(push?.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
    expect(push?.headers["topic"]).toMatch(/^[\w-]{22}$/);
    expect(push?.body.includes("nice words"), "in the clear").toBe(false);
    expect(push && senderOf(push)).toEqual({
      key: on.push.publicKey,
      aud: service.origin,
      sub: "mailto:postcard@localhost",
    });
  });

  test("rings once for the likes of a post, and for every comment", async () => {
    const ada = await on.member("Ada");
    const [bob, cleo] = [await on.member("Bob"), await on.member("Cleo")];
    const browser = await subscribed(ada);
    const post = await on.textPost(ada);
    for (const who of [bob, cleo]) {
      await on.likes.like(who, post);
      await on.comments.add(who, post, `by ${who.name}`, null);
      expect(await work()).toEqual([]);
    }
    // Pushes of one moment go out in any order.
    const titles = browser.read().map((read) => (read as { title: string }).title);
    expect(titles.slice(0, 2).toSorted()).toEqual([
      "Bob commented on your post",
      "Bob liked your post",
    ]);
    expect(titles.slice(2)).toEqual(["Cleo and Bob commented on your post"]);
  });

  test("goes to every browser, and to none that said no", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const [one, two] = [await subscribed(ada), await subscribed(ada)];
    const quiet = await subscribed(ada);
    expect(await on.push.unsubscribe(quiet.viewer)).toEqual({ subscribed: false });
    await on.follows.follow(bob, ada.id);
    expect(await work()).toEqual([]);
    expect([one.read().length, two.read().length, quiet.read().length]).toEqual([1, 1, 0]);
  });

  test.each([
    [
      "was taken back",
      (_ada: Viewer, bob: Viewer, ada: Viewer) => on.follows.unfollow(bob, ada.id),
    ],
    ["was read", (ada: Viewer) => on.notifications.markAllRead(ada)],
    ["comes from somebody blocked", (ada: Viewer, bob: Viewer) => on.blocks.block(ada, bob.id)],
    ["is for a suspended account", (ada: Viewer) => on.suspend(ada)],
    ["comes from a suspended account", (_ada: Viewer, bob: Viewer) => on.suspend(bob)],
  ])("is not sent for what, before it is, %s", async (_what, change) => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const browser = await subscribed(ada);
    await on.follows.follow(bob, ada.id);
    await change(ada, bob, ada);
    expect(await work()).toEqual([]);
    expect(browser.read()).toEqual([]);
  });

  test("says nothing of a post that is not for its recipient, from the start or meanwhile", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const browser = await subscribed(ada);
    const caption = `With @${ada.username}`;
    await on.publish(bob, { caption, audience: "followers" });
    const post = await on.publish(bob, { caption });
    const comment = await on.comments.add(ada, post, "Lovely", null);
    await on.comments.add(bob, post, "Thank you", null, comment.id);
    await on.commentLikes.like(bob, post, comment.id);
    await on.posts.edit(bob, bob.username, post.number, { version: 0, audience: "only-me" });
    expect(await work()).toEqual([]);
    expect(browser.read()).toEqual([]);
  });

  test("is not sent to a browser that was signed out, whoever uses it next", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const browser = await subscribed(ada);
    await on.follows.follow(bob, ada.id);
    await on.identity.sessions.signOut({ cookie: browser.cookie });
    expect(await work()).toEqual([]);
    expect(browser.read()).toEqual([]);
    expect(
      await query(db, "select 1 from push_subscriptions where account_id = $1", [ada.id]),
    ).toEqual([]);
  });

  test("follows a browser to the next member who subscribes in it", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const first = await subscribed(ada);
    const second = await subscribed(bob);
    await on.push.subscribe(second.viewer, first.address);
    await on.follows.follow(bob, ada.id);
    await on.follows.follow(ada, bob.id);
    expect(await work()).toEqual([]);
    expect(first.read()).toMatchObject([{ title: "Ada followed you" }]);
  });

  test("is taken from nobody by somebody who knows the endpoint alone", async () => {
    const [ada, bob, eve] = [
      await on.member("Ada"),
      await on.member("Bob"),
      await on.member("Eve"),
    ];
    const first = await subscribed(ada);
    const other = await subscribed(eve);
    const { endpoint, p256dh } = first.address;
    for (const keys of [other.address, { ...other.address, p256dh }]) {
      const attempt = on.push.subscribe(other.viewer, { ...keys, endpoint });
      await expect(attempt).rejects.toMatchObject({ code: "input-invalid" });
    }
    expect(await on.push.isSubscribed(other.viewer), "what Eve had stays").toBe(true);
    await on.follows.follow(bob, ada.id);
    expect(await work()).toEqual([]);
    expect(first.read()).toMatchObject([{ title: "Bob followed you" }]);
  });

  test.each([404, 410])("that is answered %i ends the subscription", async (status) => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const browser = await subscribed(ada);
    browser.answer(status);
    await on.follows.follow(bob, ada.id);
    expect(await work()).toEqual([]);
    expect(await on.push.isSubscribed(browser.viewer)).toBe(false);
  });

  test("that fails otherwise is tried again, for this browser alone", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const [good, bad] = [await subscribed(ada), await subscribed(ada)];
    bad.answer(503);
    await on.follows.follow(bob, ada.id);
    expect(await work()).toMatchObject([{ message: "A push service answered 503." }]);
    bad.answer(201);
    await on.jobs.runDue({ later: true });
    expect(good.read()).toHaveLength(1);
    expect(bad.read()).toHaveLength(2);
  });
});

const browserKeys = () => {
  const { p256dh, auth } = service.browser().address;
  return { p256dh, auth };
};

describe("an address to push to", () => {
  const sender = createPushSender({
    keys: makeVapidKeys(),
    publicUrl: "https://photos.example.org",
  });
  test.each([
    "https://push.example.org/x",
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://1.1.1.1/x",
  ])("%s is a public one", (endpoint) => {
    expect(sender.problemOf({ endpoint, ...browserKeys() })).toBeNull();
  });

  test.each([
    "http://push.example.org/x",
    "https://localhost/x",
    "https://127.0.0.1/x",
    "https://127.1/x",
    "https://0x7f000001/x",
    "https://10.0.0.8/x",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[fd00::1]/x",
    "https://router/x",
    "https://push.example.org:8443/x",
    "https://user:secret@push.example.org/x",
    "file:///etc/passwd",
    "push.example.org",
    `https://push.example.org/${"x".repeat(2000)}`,
  ])("%s is none", async (endpoint) => {
    expect(sender.problemOf({ endpoint, ...browserKeys() })).toBe("endpoint");
    expect(await sender.send({ endpoint, ...browserKeys() }, "{}", "t")).toBe("gone");
  });

  test("with keys that are none is refused", async () => {
    const ada = await on.member("Ada");
    const { address } = service.browser();
    for (const wrong of [{ p256dh: "" }, { auth: "x" }, { p256dh: "a".repeat(87), auth: "=" }]) {
      const attempt = on.push.subscribe(ada, { ...address, ...wrong });
      await expect(attempt).rejects.toMatchObject({ code: "input-invalid" });
    }
  });

  test("whose host leads into this network is not connected to", async () => {
    // localhost.localdomain and names like it resolve to this machine; this one always does
    const address = { endpoint: "https://ip6-localhost.localhost/x", ...browserKeys() };
    await expect(sender.send(address, "{}", "t")).rejects.toThrow();
  });

  test.each([
    ["8.8.8.8", true],
    ["2606:4700::1111", true],
    ["0.1.2.3", false],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["127.0.0.1", false],
    ["169.254.169.254", false],
    ["172.31.255.255", false],
    ["192.0.0.1", false],
    ["192.0.2.1", false],
    ["192.88.99.1", false],
    ["192.168.1.1", false],
    ["198.19.255.255", false],
    ["198.51.100.1", false],
    ["203.0.113.1", false],
    ["255.255.255.255", false],
    ["::ffff:8.8.8.8", false],
    ["64:ff9b::a00:1", false],
    ["2002:7f00:1::", false],
    ["fe80::1", false],
    ["fc00::1", false],
    ["2001::1", false],
    ["2001:1ff:ffff::1", false],
    ["2001:db8::1", false],
    ["3fff::1", false],
    ["4000::1", false],
    ["::1", false],
    ["224.0.0.1", false],
    ["nothing", false],
  ])("%s is public: %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
