import { randomBytes } from "node:crypto";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { asBrowser, type Member } from "../product.ts";

/** The outcomes of the requests. */
type Tally = {
  answered: number;
  /** 4xx: gone meanwhile, or too many in an hour */
  refused: number;
  /** 503: come again later */
  sentAway: number;
  /** not answered within a minute: the client left */
  late: number;
  /** other 5xx, and connections that ended without an answer */
  failed: number;
  /** aborted by the client on purpose */
  aborted: number;
};

type Sent = {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
};
type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };

const patienceMs = 60_000;
const json = { "content-type": "application/json" };

/** Clients of one server, each with its own address behind a proxy; `tally` grows. */
export function createClients(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 48 });
  const tally: Tally = { answered: 0, refused: 0, sentAway: 0, late: 0, failed: 0, aborted: 0 };
  const failures = new Map<string, number>();

  function fail(what: string): void {
    tally.failed += 1;
    failures.set(what, (failures.get(what) ?? 0) + 1);
  }

  /** Null where there was no answer. */
  function ask(from: string, path: string, { method, headers, body }: Sent = {}) {
    return new Promise<Answer | null>((resolve) => {
      const name = `${method ?? "GET"} ${path.split("?")[0]?.replace(/[\w-]{16,}|\d+/g, "…")}`;
      const all = { ...headers, "x-forwarded-for": from };
      const outgoing = request(
        new URL(path, url),
        { agent, method, headers: all, timeout: patienceMs },
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on("data", (piece: Buffer) => pieces.push(piece));
          answer.on("error", () => resolve(null));
          answer.on("end", () => {
            const status = answer.statusCode ?? 0;
            if (status === 503) tally.sentAway += 1;
            else if (status >= 500) fail(`${name}: ${status}`);
            else if (status >= 400) tally.refused += 1;
            else tally.answered += 1;
            resolve({ status, headers: answer.headers, body: Buffer.concat(pieces) });
          });
        },
      );
      let late = false;
      outgoing.on("timeout", () => {
        late = true;
        outgoing.destroy();
      });
      outgoing.on("error", (error) => {
        if (late) tally.late += 1;
        else fail(`${name}: ${error.message}`);
        resolve(null);
      });
      outgoing.end(body);
    });
  }

  /** On a separate connection, which is closed midway. */
  async function abort(
    from: string,
    path: string,
    sent: Sent,
    work: (outgoing: ClientRequest) => Promise<void>,
  ): Promise<void> {
    const headers = { ...sent.headers, "x-forwarded-for": from };
    const outgoing = request(new URL(path, url), { agent: false, method: sent.method, headers });
    outgoing.on("error", () => undefined);
    outgoing.on("response", (answer) => answer.on("error", () => undefined));
    await work(outgoing);
    outgoing.destroy();
    tally.aborted += 1;
  }

  /** A tab: its stream and the events it receives; `close` ends it as a browser does. */
  function listen(from: string, { cookie }: Member) {
    const tab = { stream: "", ended: false, close: () => outgoing.destroy() };
    const headers = { cookie, "x-forwarded-for": from };
    const outgoing = request(new URL("/api/events", url), { agent: false, headers }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        tab.stream ||= /"stream":"([^"]+)"/.exec(text)?.[1] ?? "";
      });
      answer.on("close", () => (tab.ended = true));
      answer.on("error", () => undefined);
    });
    outgoing.on("error", () => (tab.ended = true));
    outgoing.end();
    return tab;
  }

  /** A connection that sends half a request and nothing more, until the server closes it. */
  function saysNothing(): void {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write("GET / HTTP/1.1\r\nHost: a"));
    socket.on("error", () => undefined);
    socket.resume();
  }

  return { ask, abort, listen, saysNothing, tally, failures, close: () => agent.destroy() };
}

type Clients = ReturnType<typeof createClients>;
type Tab = ReturnType<Clients["listen"]>;

export type Town = {
  members: readonly Member[];
  /** pairs that follow each other */
  couples: readonly (readonly [Member, Member])[];
  posts: readonly { authorId: string; username: string; postId: string; number: number }[];
  photos: readonly Buffer[];
};

/** A form with a file in it, as its bytes and its content type. */
async function formOf(fields: Record<string, string>, file: string, photo: Buffer) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(file, new File([new Uint8Array(photo)], "photo.jpg", { type: "image/jpeg" }));
  const whole = new Response(form);
  const body = Buffer.from(await whole.arrayBuffer());
  return { body, headers: { "content-type": whole.headers.get("content-type") ?? "" } };
}

const addressOf = ({ viewer }: Member) => {
  const bytes = Buffer.from(viewer.id.replaceAll("-", ""), "hex");
  return `10.${bytes[13]}.${bytes[14]}.${bytes[15]}`;
};

const keep = <Item>(list: Item[], item: Item, most: number) => {
  list.push(item);
  if (list.length > most) list.shift();
};

const part = (photo: Buffer, offset: number) => ({
  method: "PATCH",
  headers: {
    "tus-resumable": "1.0.0",
    "upload-offset": String(offset),
    "content-type": "application/offset+octet-stream",
    "content-length": String(photo.length - offset),
  },
});

/**
 * What virtual users do, each with how often all of them together do it in a second. `random` answers 0 to 1.
 */
export function createVirtualUsers(clients: Clients, town: Town, random: () => number) {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  /** Image files that exist: those of the town are rows only. */
  const images: string[] = [];
  /** The accounts that signed up here and can sign in again. */
  const newcomers: { email: string; password: string }[] = [];
  const own: { username: string; number: number; member: Member }[] = [];
  let count = 0;

  const stranger = () => `172.${16 + Math.floor(random() * 16)}.${one256()}.${one256()}`;
  const one256 = () => Math.floor(random() * 256);
  const as = (member: Member, path: string, sent: Sent = {}) =>
    clients.ask(addressOf(member), path, {
      ...sent,
      headers: { cookie: member.cookie, ...sent.headers },
    });
  const say = (member: Member, path: string, body: object, method = "POST") =>
    as(member, path, { method, headers: json, body: JSON.stringify(body) });
  const words = (topic: string) => `${topic} ${(count += 1)}, low tide at noon #tide${count % 50}`;

  async function sendPhoto(member: Member): Promise<string | null> {
    const answer = await as(member, "/api/images", {
      method: "POST",
      ...(await formOf({}, "image", one(town.photos))),
    });
    if (answer?.status !== 201) return null;
    return (JSON.parse(String(answer.body)) as { data: { id: string } }).data.id;
  }

  async function publish(member: Member, imageIds: readonly string[]): Promise<void> {
    const answer = await say(member, "/api/posts", {
      caption: words("A walk"),
      pictures: imageIds.map((imageId) => ({ imageId, alt: "a pier" })),
    });
    if (answer?.status !== 201) return;
    const text = String(answer.body);
    const { number } = JSON.parse(text) as { number: number };
    keep(own, { username: member.viewer.username, number, member }, 300);
    for (const [image] of text.matchAll(/\/images\/[\w-]+\/\d+\.webp/g)) keep(images, image, 300);
  }

  /** Sends the first half; returns the upload's progress. */
  async function beginParts(member: Member, photo: Buffer): Promise<string | null> {
    const tus = { "tus-resumable": "1.0.0" };
    const begun = await as(member, "/api/uploads", {
      method: "POST",
      headers: { ...tus, "upload-length": String(photo.length) },
    });
    const path = begun?.headers.location;
    return begun?.status === 201 && path ? path : null;
  }

  const document = async (path: (member: Member) => string) => {
    const member = one(town.members);
    await as(member, path(member), { headers: asBrowser(member.cookie) });
  };
  const postPath = () => {
    const { username, number } = random() < 0.3 && own.length > 0 ? one(own) : one(town.posts);
    return `${username}/${number}`;
  };

  type Act = { name: string; perSecond: number; act: () => Promise<unknown> };
  const acts: Act[] = [
    // readers
    { name: "home", perSecond: 1, act: () => document(() => "/") },
    {
      name: "profile",
      perSecond: 0.7,
      act: () => document(() => `/search/${one(town.posts).authorId}`),
    },
    { name: "post", perSecond: 0.7, act: () => document(() => `/post/${postPath()}`) },
    {
      name: "other screens",
      perSecond: 1,
      act: () =>
        document(() =>
          one([
            "/profile",
            "/saved",
            "/notifications",
            "/chat",
            "/search",
            "/search?q=brandt",
            "/settings",
            "/settings/security",
            "/upload",
            "/nowhere",
          ]),
        ),
    },
    {
      name: "a visitor",
      perSecond: 0.5,
      act: () =>
        clients.ask(stranger(), one(["/", "/signIn", "/signUp", `/post/${postPath()}`]), {
          headers: asBrowser(""),
        }),
    },
    {
      name: "feed, page by page",
      perSecond: 1,
      act: async () => {
        const member = one(town.members);
        let path = "/api/feed";
        for (let page = 0; page < 3; page += 1) {
          const answer = await as(member, path);
          if (answer?.status !== 200) return;
          const { nextCursor } = JSON.parse(String(answer.body)) as { nextCursor?: string | null };
          if (!nextCursor) return;
          path = `/api/feed?cursor=${encodeURIComponent(nextCursor)}`;
        }
      },
    },
    {
      name: "other lists",
      perSecond: 2,
      act: () => {
        const member = one(town.members);
        const { authorId, username } = one(town.posts);
        return as(
          member,
          one([
            `/api/accounts/${username}/photos`,
            `/api/accounts/${authorId}/counts`,
            `/api/posts/${postPath()}/comments`,
            `/api/search?q=${username.slice(0, 3)}`,
            "/api/explore",
            `/api/tags/tide${count % 50}/posts`,
            "/api/tags?q=t",
            "/api/suggestions?limit=4",
            "/api/notifications",
            "/api/chats",
            "/api/saved/photos",
          ]),
        );
      },
    },
    {
      name: "pictures",
      perSecond: 4,
      act: async () => {
        if (images.length === 0) return;
        await clients.ask(addressOf(one(town.members)), one(images), {
          headers: { accept: random() < 0.7 ? "image/avif,image/webp" : "image/webp" },
        });
      },
    },
    // writers
    {
      name: "a post with photos",
      perSecond: 0.15,
      act: async () => {
        const member = one(town.members);
        const ids = await Promise.all([
          sendPhoto(member),
          ...(random() < 0.3 ? [sendPhoto(member)] : []),
        ]);
        const sent = ids.filter((id) => id !== null);
        if (sent.length > 0) await publish(member, sent);
      },
    },
    {
      name: "a post whose photo came in parts",
      perSecond: 0.05,
      act: async () => {
        const [member, photo] = [one(town.members), one(town.photos)];
        const path = await beginParts(member, photo);
        if (!path) return;
        await as(member, path, { ...part(photo, 0), body: photo });
        for (let tries = 0; tries < 60; tries += 1) {
          const answer = await as(member, path);
          if (answer?.status !== 200) return;
          const seen = JSON.parse(String(answer.body)) as { state: string; imageId?: string };
          if (seen.imageId) return publish(member, [seen.imageId]);
          if (seen.state === "refused") return;
          await sleep(500);
        }
      },
    },
    { name: "a post of words", perSecond: 0.2, act: () => publish(one(town.members), []) },
    {
      name: "a post deleted",
      perSecond: 0.1,
      act: async () => {
        if (own.length < 20) return;
        const [gone] = own.splice(Math.floor(random() * own.length), 1);
        if (gone)
          await as(gone.member, `/api/posts/${gone.username}/${gone.number}`, { method: "DELETE" });
      },
    },
    {
      name: "likes and saved posts",
      perSecond: 1.5,
      act: () =>
        as(one(town.members), `/api/posts/${postPath()}/${one(["like", "save"])}`, {
          method: one(["PUT", "PUT", "DELETE"]),
        }),
    },
    {
      name: "comments",
      perSecond: 0.4,
      act: () =>
        say(one(town.members), `/api/posts/${postPath()}/comments`, {
          body: words("Where is that"),
        }),
    },
    {
      name: "follows",
      perSecond: 0.4,
      act: () =>
        as(one(town.members), `/api/accounts/${one(town.posts).username}/follow`, {
          method: one(["PUT", "DELETE"]),
        }),
    },
    {
      name: "messages",
      perSecond: 0.8,
      act: async () => {
        const [from, to] = random() < 0.5 ? one(town.couples) : one(town.couples).toReversed();
        if (!from || !to) return;
        const path = `/api/chats/${from.viewer.username}.${to.viewer.username}`;
        await say(to, `${path}/typing`, {}, "PUT");
        await say(from, `${path}/messages`, { body: words("See you") });
        await as(to, `${path}/messages`);
      },
    },
    {
      name: "photos in messages",
      perSecond: 0.03,
      act: async () => {
        const [from, to] = one(town.couples);
        const path = `/api/chats/${from.viewer.username}.${to.viewer.username}/photos`;
        await as(from, path, { method: "POST", ...(await formOf({}, "image", one(town.photos))) });
      },
    },
    // coming and going
    {
      name: "sign-ups",
      perSecond: 0.03,
      act: async () => {
        const email = `soak-${randomBytes(6).toString("hex")}@example.org`;
        const password = "correct horse battery staple";
        const names = { firstName: "Vi", secondName: "Sitor" };
        const form = await formOf({ email, password, ...names }, "picture", one(town.photos));
        const answer = await clients.ask(stranger(), "/signUp", { method: "POST", ...form });
        if (answer?.headers["set-cookie"]) keep(newcomers, { email, password }, 40);
      },
    },
    {
      name: "signing in and out",
      perSecond: 0.05,
      act: async () => {
        if (newcomers.length === 0) return;
        const from = stranger();
        const body = JSON.stringify(
          random() < 0.2 ? { ...one(newcomers), password: "wrong" } : one(newcomers),
        );
        const answer = await clients.ask(from, "/api/session", {
          method: "POST",
          headers: json,
          body,
        });
        if (answer?.status !== 200) return;
        const { token } = JSON.parse(String(answer.body)) as { token: string };
        const headers = { authorization: `Bearer ${token}` };
        await clients.ask(from, "/api/feed", { headers });
        await clients.ask(from, "/api/session", { method: "DELETE", headers });
      },
    },
    {
      name: "tabs that open and close",
      perSecond: 0.7,
      act: async () => {
        const member = one(town.members);
        const tab = clients.listen(addressOf(member), member);
        await watch(member, tab);
        await sleep(2000 + random() * 10_000);
        tab.close();
      },
    },
    // those who disconnect midway
    {
      name: "uploads aborted",
      perSecond: 0.15,
      act: async () => {
        const member = one(town.members);
        const { body, headers } = await formOf({}, "image", one(town.photos));
        await clients.abort(
          addressOf(member),
          "/api/images",
          {
            method: "POST",
            headers: { cookie: member.cookie, ...headers, "content-length": String(body.length) },
          },
          async (outgoing) => {
            outgoing.write(body.subarray(0, Math.floor(body.length * random())));
            await sleep(100 + random() * 500);
          },
        );
      },
    },
    {
      name: "uploads in parts aborted",
      perSecond: 0.1,
      act: async () => {
        const [member, photo] = [one(town.members), one(town.photos)];
        const path = await beginParts(member, photo);
        if (!path) return;
        const { method, headers } = part(photo, 0);
        const sent = { method, headers: { cookie: member.cookie, ...headers } };
        await clients.abort(addressOf(member), path, sent, async (outgoing) => {
          outgoing.write(photo.subarray(0, Math.floor(photo.length / 2)));
          await sleep(300);
        });
        await as(member, path, { method: "HEAD", headers: { "tus-resumable": "1.0.0" } });
        await as(member, path, { method: "DELETE", headers: { "tus-resumable": "1.0.0" } });
      },
    },
    {
      name: "pages aborted",
      perSecond: 0.3,
      act: async () => {
        const member = one(town.members);
        const path = images.length > 0 && random() < 0.5 ? one(images) : "/";
        await clients.abort(
          addressOf(member),
          path,
          { headers: asBrowser(member.cookie) },
          async (outgoing) => {
            outgoing.end();
            await sleep(random() * 40);
          },
        );
      },
    },
    { name: "silent connections", perSecond: 0.1, act: async () => clients.saysNothing() },
  ];

  /** Registers what a tab shows, once its stream said which one it is. */
  async function watch(member: Member, tab: Tab): Promise<void> {
    for (let tries = 0; tries < 50 && !tab.stream && !tab.ended; tries += 1) await sleep(100);
    if (!tab.stream) return;
    const posts = Array.from({ length: 10 }, () => one(town.posts));
    const shown = new Set(posts.map(({ authorId, postId }) => `${authorId}.${postId}`));
    await say(member, "/api/events/watched", { stream: tab.stream, posts: [...shown] }, "PUT");
  }

  /** Opens a tab that stays open. */
  async function leaveOpen(member: Member): Promise<Tab> {
    const tab = clients.listen(addressOf(member), member);
    await watch(member, tab);
    return tab;
  }

  return { acts, leaveOpen };
}
