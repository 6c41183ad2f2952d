import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeIn } from "#server/features/talk/notifications/describe-in.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import type { Database } from "#server/platform/db/database.ts";
import { appAlerts } from "#server/features/talk/notifications/app-push.ts";
import { createDigest } from "#server/features/talk/notifications/digest.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { freshDatabase } from "#server/test/database.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { openStream } from "#server/test/event-stream.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client } from "#server/test/identity.ts";
import { openMailbox } from "#server/test/mailbox.ts";
import { openPushService } from "#server/test/push-service.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { MessageView, Viewer } from "#shared/views.ts";

/*
 * Every channel of notifications (the list, a push, one to an app, the daily email, the stream),
 * with everything that can be between two people. Ana does everything that Bo is notified of,
 * something comes between them before any of it was sent, and Ana does everything again.
 */
const hourMs = 60 * 60 * 1000;

let db: Database;
let on: TestFeatures;
let service: Awaited<ReturnType<typeof openPushService>>;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
let digest: ReturnType<typeof createDigest>;
let deliver: () => Promise<unknown>;
/**
 * a friend of everybody, whose conversations are muted: what Cy says comes after all that was said
 * before
 */
let cy: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  [service, mailbox] = [await openPushService(), await openMailbox()];
  const log = pino({ level: "silent" });
  const jobs = createJobs({ db, log });
  const mailFrom = { name: "Our Town", address: "photos@example.org" };
  const config = { smtpUrl: mailbox.url, mailFrom };
  const mail = openMail({ config, files: on.files, jobs, log });
  digest = createDigest({
    db,
    mail,
    secret: "a secret",
    publicUrl: "https://photos.example.org",
    site: on.site,
    languages: [],
  });
  deliver = () => jobs.runDue();
  on.appPush.setWriter(({ view }) => JSON.stringify({ title: describeIn("en", view) }));
  cy = await on.member("Cy");
});
afterAll(() => on.live.stop());

type Person = Viewer & { cookie: string };

async function person(name: string): Promise<Person> {
  const { id } = await on.member(name);
  await query(db, "update accounts set email_verified = true where id = $1", [id]);
  const { cookies } = await on.identity.signIn.complete(id, client(), "link");
  const cookie = asCookieHeader(cookies);
  const viewer = await on.identity.sessions.viewerOf({ cookie });
  if (!viewer) throw new Error("no session");
  return { ...viewer, cookie };
}

async function befriend(one: Viewer, two: Viewer): Promise<void> {
  await on.follows.follow(one, two.id);
  await on.follows.follow(two, one.id);
}

const say = (from: Viewer, to: Viewer, body: string) =>
  on.chat.send(from, chatIdOf(from, to), { body, picture: null, clientKey: null });

/** The word by which a sentence shows its kind. */
const keywords = {
  follow: "followed you",
  like: "liked your",
  mention: "mentioned you",
  message: "sent you a message",
};
type Kind = keyof typeof keywords;

function kindsIn(sentences: readonly string[]): Kind[] {
  const kinds = Object.keys(keywords) as Kind[];
  return kinds.filter((kind) => sentences.some((one) => one.includes(keywords[kind])));
}

const everything: Kind[] = ["follow", "like", "mention", "message"];

async function scene() {
  const [ana, bo] = [await person("Ana"), await person("Bo")];
  await befriend(bo, cy);
  const { conversationId } = await say(cy, bo, "Hello");
  await on.chat.mute(bo, conversationId, true);
  const posts = [await on.textPost(bo, "First"), await on.textPost(bo, "Second")] as const;
  await query(db, "update notifications set unread = false where account_id = $1", [bo.id]);
  await on.jobs.runDue();
  const browser = service.browser();
  await on.push.subscribe(bo, browser.address);
  const device = service.browser();
  const { token } = await connectedApp(on, bo);
  const tokenId = (await on.apps.callerOf(token))?.tokenId ?? "";
  const wanted = { alerts: appAlerts, policy: undefined, standard: true };
  await on.appPush.subscribe({ viewer: bo, tokenId, token }, device.address, wanted);
  await on.follows.follow(bo, ana.id);
  const stream = await openStream(on.live, bo);
  const watched = posts.map(({ authorId, postId }) => `${authorId}.${postId}`);
  on.live.watch(bo, stream.stream.id, watched);
  let heard = 0;
  const rung = new Map<typeof device, number>();
  /** The titles of pushes to a browser or an app since the last time. */
  function freshOf(one: typeof device): string[] {
    const all = one.read() as { title: string }[];
    const fresh = all.slice(rung.get(one) ?? 0);
    rung.set(one, all.length);
    return fresh.map(({ title }) => title);
  }

  /** Everything that Ana can do, with a valid session; what she is refused leaves nothing. */
  async function act(turn: 0 | 1): Promise<void> {
    const actor = await on.identity.sessions.viewerOf({ cookie: ana.cookie });
    if (!actor) return;
    const attempts: (() => Promise<unknown>)[] = [
      () => on.likes.like(actor, posts[turn]),
      () => on.comments.add(actor, posts[turn], `@${bo.username} look`, null),
      () => say(actor, bo, `words ${turn}`),
      () => on.textPost(actor, "News"),
      async () => on.chat.typing(actor, await on.chat.refAt(actor, chatIdOf(actor, bo))),
    ];
    for (const attempt of attempts) {
      await attempt().catch((error: { code?: string }) => {
        if (!["not-found", "chat-closed"].includes(error.code ?? "")) throw error;
      });
    }
  }

  /** What of it reached Bo since the last time, by channel. */
  async function reached(): Promise<Ways> {
    const reader = await on.identity.sessions.viewerOf({ cookie: bo.cookie });
    const { items } = reader ? await on.notifications.list(reader, "all", null) : { items: [] };
    const unread = items.filter((view) => view.unread).map((view) => describeIn("en", view));
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const [pushes, apps] = [freshOf(browser), freshOf(device)];
    mailbox.received.length = 0;
    await query(db, "update notification_settings set digested_at = null where account_id = $1", [
      bo.id,
    ]);
    // What is read within an hour needs no email.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * hourMs });
    await digest.sweep().finally(() => vi.useRealTimers());
    await deliver();
    const emails = mailbox.received.filter(({ envelope }) => envelope.to.includes(bo.email));
    await query(db, "update notifications set unread = false where account_id = $1", [bo.id]);
    return {
      list: kindsIn(unread),
      push: kindsIn(pushes),
      app: kindsIn(apps),
      email: kindsIn(emails.map(({ text }) => text ?? "")),
    };
  }

  /** What of Ana's came through the stream since the last time, once it has sent all. */
  async function streamed(expected: readonly string[]): Promise<string[]> {
    const fresh = () =>
      stream.events.slice(heard).filter(({ type, data }) => {
        if (type === "message") return (data as MessageView).senderId === ana.id;
        return ["new-post", "post", "typing"].includes(type);
      });
    const types = () => new Set(fresh().map(({ type }) => type));
    if (!stream.state.ended) {
      await until(() => expected.every((type) => types().has(type)));
      const before = stream.of("message").length;
      await say(cy, bo, "said after it");
      await until(() => stream.of("message").length > before || stream.state.ended);
    }
    const said = [...types()].toSorted();
    heard = stream.events.length;
    return said;
  }

  return { ana, bo, posts, stream, act, reached, streamed };
}

type Scene = Awaited<ReturnType<typeof scene>>;
type Ways = Record<"list" | "push" | "app" | "email", Kind[]>;
type Row = {
  hinder: (between: Scene) => Promise<unknown>;
  /** what still reaches Bo of what was done before */
  pending: Kind[] | Ways;
  /** and of what is done after it */
  later: Kind[] | Ways;
  events: string[];
};

const none = { pending: [], later: [], events: [] };
/** Apps get no messages. */
const inApps = (kinds: Kind[]) => kinds.filter((kind) => kind !== "message");
/** Emails and apps do not need a session. */
const away = (kinds: Kind[]): Ways => ({ list: [], push: [], app: inApps(kinds), email: kinds });

const rows: Record<string, Row> = {
  nothing: {
    hinder: async () => undefined,
    pending: everything,
    later: ["like", "mention", "message"],
    events: ["message", "new-post", "post", "typing"],
  },
  "a block by Bo": { ...none, hinder: ({ ana, bo }) => on.blocks.block(bo, ana.id) },
  "a block by Ana": { ...none, hinder: ({ ana, bo }) => on.blocks.block(ana, bo.id) },
  "an unfollow by Ana": {
    hinder: ({ ana, bo }) => on.follows.unfollow(ana, bo.id),
    pending: ["like", "mention", "message"],
    later: ["like", "mention"],
    events: ["new-post", "post"],
  },
  "an unfollow by Bo": {
    hinder: ({ ana, bo }) => on.follows.unfollow(bo, ana.id),
    pending: everything,
    later: ["like", "mention"],
    events: ["post"],
  },
  "a sign-out of Bo": {
    hinder: ({ bo }) => on.identity.sessions.signOut({ cookie: bo.cookie }),
    pending: away(everything),
    later: away(["like", "mention", "message"]),
    events: [],
  },
  "Bo's suspension": { ...none, hinder: ({ bo }) => on.suspend(bo) },
  "Ana's suspension": { ...none, hinder: ({ ana }) => on.suspend(ana) },
  "Bo's deletion": { ...none, hinder: ({ bo }) => on.deletion.requestFor(bo.id) },
  "Ana's deletion": { ...none, hinder: ({ ana }) => on.deletion.requestFor(ana.id) },
  "Ana's muting by Bo": {
    hinder: ({ ana, bo }) => on.blocks.mute(bo, ana.id),
    // notified before: it stays in the list, and is pushed nowhere
    pending: { list: everything, push: [], app: [], email: [] },
    later: [],
    events: ["message", "post", "typing"],
  },
  "Bo muting the conversation": {
    hinder: async ({ ana, bo }) =>
      on.chat.mute(bo, await on.chat.refAt(bo, chatIdOf(bo, ana)), true),
    pending: ["follow", "like", "mention"],
    later: ["like", "mention"],
    events: ["message", "new-post", "post", "typing"],
  },
  "a switch of Bo's for each kind": {
    hinder: ({ bo }) =>
      on.notifications.changeSettings(bo, { like: false, mention: false, message: false }),
    pending: everything,
    later: [],
    events: ["message", "new-post", "post", "typing"],
  },
};

const everyWay = (kinds: Kind[] | Ways): Ways =>
  Array.isArray(kinds) ? { list: kinds, push: kinds, app: inApps(kinds), email: kinds } : kinds;

describe("what Ana does reaches Bo as far as it may", () => {
  test.each(Object.entries(rows))("with %s between them", async (_what, row) => {
    const between = await scene();
    const { ana, bo, stream } = between;
    await on.follows.follow(ana, bo.id);
    await between.act(0);
    expect(await between.streamed(["message", "new-post", "post", "typing"])).toHaveLength(4);
    await row.hinder(between);
    if (!(await on.identity.sessions.viewerOf({ cookie: bo.cookie })))
      await until(() => stream.state.ended);
    expect(await between.reached()).toEqual(everyWay(row.pending));
    await between.streamed([]);
    await between.act(1);
    expect(await between.streamed(row.events)).toEqual(row.events);
    expect(await between.reached()).toEqual(everyWay(row.later));
    stream.close();
  });
});
