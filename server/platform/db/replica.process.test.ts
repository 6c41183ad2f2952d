import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import pg, { type PoolConfig } from "pg";
import { requestBounds, type Bounds } from "#server/platform/db/time-limits.ts";
import { createDatabase } from "#server/platform/db/database.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { afterFile } from "#server/test/after-file.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import {
  testFeatures,
  testSecrets,
  type MadePost,
  type TestFeatures,
} from "#server/test/factories.ts";
import {
  findSystemPostgres,
  startSystemPostgres,
  startReplica,
} from "#server/test/system-postgres.ts";
import { startFaultyProxy } from "#server/test/faulty-proxy.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

/** Tries again: some things are read only once every few seconds, and a replica may lag on a busy machine. */
const settled = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 20_000, interval: 200 });

const machines = await findSystemPostgres();
if (!machines) console.info("No PostgreSQL is installed here, so no replica is tried.");

const patient = {
  ...requestBounds,
  connect: 60_000,
  statement: 60_000,
  lock: 60_000,
  answer: 65_000,
  silence: 60_000,
};
/** While its replay is paused a replica becomes as old as the test takes. */
const hour = 60 * 60 * 1000;
const secrets = testSecrets();
let primary: Awaited<ReturnType<typeof startSystemPostgres>>;
let replica: Awaited<ReturnType<typeof startReplica>>;
let town: TestFeatures;

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "replica-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A server of the installation in this process, whose reads may go to a replica. A replica that was late
 * once is not read until it has replayed more, which a paused one never does: so here it may be late.
 */
async function server(
  readConnection: PoolConfig,
  { mostLag = hour, readBounds = patient }: { mostLag?: number; readBounds?: Bounds | null } = {},
) {
  const count = { primary: 0, replica: 0 };
  const said: string[] = [];
  const db = createDatabase({
    connection: primary.connection,
    readConnection,
    mostLag,
    readBounds: readBounds ?? undefined,
    bounds: patient,
    log: {
      warn: (...told: unknown[]) => said.push(JSON.stringify(told)),
      error: console.error,
    },
    onQuery: (text, _values, at) => {
      // without the queries for its position, which depend on how often somebody reads
      if (!/_lsn\(\)::text/.test(text)) count[at ?? "primary"] += 1;
    },
  });
  afterFile(() => db.close());
  const screens = await builtScreens();
  const options = { secrets, folder: town.folder, screens };
  const { app, call: ask, cookieOf, features } = await testApp(db, {}, options);

  /** Where the statements of one request are sent. */
  async function countsOf(viewer: Viewer | null, url: string) {
    Object.assign(count, { primary: 0, replica: 0 });
    const answer = await ask(viewer, "GET", url);
    expect(answer.statusCode).toBe(200);
    return { ...count };
  }

  return { app, ask, cookieOf, features, said, countsOf };
}

type Server = Awaited<ReturnType<typeof server>>;
/** Bob sees a photo of Ada's, until she does something. */
type Narrowing = { ada: Viewer; bob: Viewer; post: MadePost };

const pathOf = ({ author, number }: MadePost) => `/api/posts/${author.username}/${number}`;

/** Sessions are read from the primary while they are new: this makes them old. */
async function ageSessions(): Promise<void> {
  await query(town.db, "update sessions set created_at = now() - interval '1 hour'");
}

const replay = (verb: "pause" | "resume") =>
  runAdminStatement(replica.connection, `select pg_wal_replay_${verb}()`);

async function pauseReplay(): Promise<void> {
  await replay("pause");
  await until(() => atReplica("select pg_get_wal_replay_pause_state() = 'paused'"));
}

async function atReplica(question: string): Promise<boolean> {
  const client = new pg.Client(replica.connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ is: boolean }>(`select (${question}) as is`);
    return rows[0]?.is ?? false;
  } finally {
    await client.end();
  }
}

/** Waits until everything written so far is on the replica, and these servers read it there. */
async function caughtUp(servers: Server[], url: string): Promise<void> {
  const [now] = await query<{ lsn: string }>(town.db, "select pg_current_wal_lsn() as lsn");
  await until(() => atReplica(`select pg_last_wal_replay_lsn() >= '${now?.lsn}'`));
  for (const { countsOf } of servers)
    await until(async () => (await countsOf(null, url)).replica > 0);
}

describe.skipIf(!machines)("a replica", () => {
  beforeAll(async () => {
    const { bin } = machines as NonNullable<typeof machines>;
    const settings = { fsync: "off", max_connections: "200" };
    primary = await startSystemPostgres({ bin, home: home(), settings });
    afterFile(() => primary.stop());
    await migrate({ connection: primary.connection });
    replica = await startReplica({ bin, home: home(), settings, of: primary.connection });
    afterFile(() => replica.stop());
    const db = createDatabase({
      connection: primary.connection,
      bounds: patient,
      log: { warn: () => {}, error: console.error },
    });
    afterFile(() => db.close());
    town = testFeatures(db, { secrets });
  });

  test("serves the reads of visitors, and of members who write nothing", async () => {
    const [ada, bob] = [await town.member("Ada One"), await town.member("Bob Two")];
    await town.follows.follow(bob, ada.id);
    const post = await town.photoPost(ada, "By the sea");
    await town.comments.add(bob, post, "Lovely", null);
    const here = await server(replica.connection);
    await here.ask(bob, "GET", "/api/session");
    await ageSessions();
    await caughtUp([here], pathOf(post));

    // the primary is always asked for a member's session, and for visitors for what everybody sees at once
    for (const url of [
      pathOf(post),
      `${pathOf(post)}/comments`,
      `/api/accounts/${ada.username}/photos`,
      `/api/accounts/${ada.username}/followers`,
    ]) {
      for (const viewer of [null, bob]) {
        await settled(async () => {
          const { primary: asked, replica: answered } = await here.countsOf(viewer, url);
          expect(asked, url).toBe(1);
          expect(answered, url).toBeGreaterThan(0);
        });
      }
    }
    await settled(async () => {
      expect(await here.countsOf(bob, "/api/feed")).toEqual({ primary: 1, replica: 2 });
    });
    for (const page of ["/", `/search/${ada.id}`, `/post/${ada.username}/${post.number}`]) {
      expect((await here.countsOf(bob, page)).replica, page).toBeGreaterThan(0);
    }
    expect((await here.ask(bob, "GET", "/api/feed")).json().items).toHaveLength(1);
  });

  test("whose replay is paused shows members what they wrote themselves, at every server", async () => {
    const [ada, bob, eve] = [
      await town.member("Ada Writes"),
      await town.member("Bob Reads"),
      await town.member("Eve Writes"),
    ];
    const post = await town.textPost(ada);
    const [here, there] = [await server(replica.connection), await server(replica.connection)];
    for (const viewer of [ada, bob, eve])
      for (const at of [here, there]) await at.ask(viewer, "GET", "/api/session");
    const bearer = await tokenOf(here, eve);
    await ageSessions();
    await caughtUp([here, there], pathOf(post));
    await pauseReplay();
    try {
      const url = pathOf(post);
      const program = { url, headers: { authorization: bearer } };
      expect((await here.ask(ada, "PUT", `${url}/like`)).statusCode).toBe(200);
      const like = { ...program, method: "PUT", url: `${url}/like` } as const;
      expect((await here.app.inject(like)).statusCode).toBe(200);

      for (const at of [here, there]) {
        expect((await at.ask(ada, "GET", url)).json()).toMatchObject({ liked: true });
        expect((await at.app.inject(program)).json()).toMatchObject({ liked: true });
        // members who wrote nothing read the replica, which does not have it yet
        expect((await at.ask(bob, "GET", url)).json()).toMatchObject({ likeCount: 0 });
        expect((await at.ask(null, "GET", url)).json()).toMatchObject({ likeCount: 0 });
      }
      // a member who has just joined is read from the primary
      const newcomer = await town.member("Nora New");
      const own = await there.ask(newcomer, "GET", `/api/accounts/${newcomer.username}/counts`);
      expect(own.statusCode).toBe(200);
      expect(
        (await there.ask(bob, "GET", `/api/accounts/${newcomer.username}/counts`)).statusCode,
      ).toBe(404);
      await replay("resume");
      await until(async () => (await there.ask(bob, "GET", url)).json().likeCount === 2);
      await until(async () => (await here.countsOf(ada, url)).replica > 0);
    } finally {
      await replay("resume");
    }
  });

  test("whose replay is paused shows everybody what streams announce", async () => {
    const [ada, bob] = [await town.member("Ada Posts"), await town.member("Bob Follows")];
    await town.follows.follow(bob, ada.id);
    const post = await town.textPost(ada);
    const [here, there] = [await server(replica.connection), await server(replica.connection)];
    await there.ask(bob, "GET", "/api/session");
    await ageSessions();
    await caughtUp([here, there], pathOf(post));
    await pauseReplay();
    try {
      const comments = `${pathOf(post)}/comments`;
      const bodies = async () => {
        const { items } = (await there.ask(bob, "GET", comments)).json();
        return items.map(({ body }: { body: string }) => body);
      };
      await here.ask(ada, "POST", comments, { payload: { body: "Look" } });
      expect(await bodies()).toEqual(["Look"]);
      await here.ask(ada, "POST", "/api/posts", { payload: { caption: "Another" } });
      const { items } = (await there.ask(bob, "GET", "/api/feed")).json();
      expect(items.map(({ caption }: { caption: string }) => caption)).toEqual([
        "Another",
        "A few words",
      ]);
    } finally {
      await replay("resume");
    }
  });

  test.each([
    {
      what: "a deleted post",
      act: async (at: Server, ada: Viewer, _bob: Viewer, post: MadePost) =>
        expect((await at.ask(ada, "DELETE", pathOf(post))).statusCode).toBeLessThan(300),
      visitors: true,
    },
    {
      what: "who blocked them",
      act: async (at: Server, ada: Viewer, bob: Viewer) =>
        expect((await at.ask(ada, "PUT", `/api/blocks/${bob.id}`)).statusCode).toBe(200),
      visitors: false,
    },
    {
      what: "a suspended account",
      act: async (at: Server, ada: Viewer) =>
        void (await at.features.administration.suspend(ada.username)),
      visitors: true,
    },
    {
      what: "an account that asked to be deleted",
      act: async (at: Server, ada: Viewer) => void (await at.features.deletion.requestFor(ada.id)),
      visitors: true,
    },
  ])("whose replay stands still shows nobody $what", async ({ act, visitors }) => {
    const [ada, bob] = [await town.member("Ada Gone"), await town.member("Bob Asks")];
    const post = await town.textPost(ada);
    const [here, there] = [await server(replica.connection), await server(replica.connection)];
    await there.ask(bob, "GET", "/api/session");
    await ageSessions();
    await caughtUp([here, there], pathOf(post));
    await pauseReplay();
    try {
      expect((await there.countsOf(bob, pathOf(post))).replica).toBeGreaterThan(0);
      await act(here, ada, bob, post);
      expect((await there.ask(bob, "GET", pathOf(post))).statusCode).toBe(404);
      expect((await there.ask(null, "GET", pathOf(post))).statusCode).toBe(visitors ? 404 : 200);
    } finally {
      await replay("resume");
    }
  });

  test.each([
    {
      what: "a narrowed post",
      act: async ({ features }: Server, { ada, post }: Narrowing) => {
        const { version } = (await features.posts.get(ada, ada.username, post.number))!;
        const edit = { version, audience: "close-friends" } as const;
        await features.posts.edit(ada, ada.username, post.number, edit);
      },
    },
    {
      what: "an account gone private",
      act: async ({ features }: Server, { ada }: Narrowing) =>
        void (await features.privacy.set(ada, true)),
    },
    {
      what: "a private account to a follower who was removed",
      before: async ({ ada, bob }: Narrowing) => {
        await town.privacy.set(ada, true);
        await town.follows.follow(bob, ada.id);
        await town.followRequests.accept(ada, bob.id);
      },
      act: async ({ features }: Server, { ada, bob }: Narrowing) =>
        void (await features.follows.removeFollower(ada, bob.id)),
    },
    {
      what: "posts for close friends to who is none any more",
      before: async ({ ada, bob, post }: Narrowing) => {
        await town.closeFriends.put(ada, bob.id);
        const { version } = (await town.posts.get(ada, ada.username, post.number))!;
        const edit = { version, audience: "close-friends" } as const;
        await town.posts.edit(ada, ada.username, post.number, edit);
      },
      act: async ({ features }: Server, { ada, bob }: Narrowing) =>
        void (await features.closeFriends.remove(ada, bob.id)),
    },
  ])("whose replay stands still shows $what no more", async ({ before, act }) => {
    const [ada, bob] = [await town.member("Ada Narrows"), await town.member("Bob Stays")];
    const post = await town.photoPost(ada);
    const narrowing = { ada, bob, post };
    await before?.(narrowing);
    const [here, there] = [await server(replica.connection), await server(replica.connection)];
    const { pictures } = (await there.ask(bob, "GET", pathOf(post))).json();
    const photo = imageUrl(pictures[0].key, 96);
    await ageSessions();
    await caughtUp([here, there], `/api/accounts/${ada.username}/counts`);
    await pauseReplay();
    const statuses = async (by: Viewer | null) =>
      Promise.all(
        [pathOf(post), `${pathOf(post)}/comments`, photo].map(
          async (url) => (await there.ask(by, "GET", url)).statusCode,
        ),
      );
    try {
      expect(await statuses(bob)).toEqual([200, 200, 200]);
      await act(here, narrowing);
      for (const by of [bob, null]) expect(await statuses(by)).toEqual([404, 404, 404]);
      const { items } = (
        await there.ask(bob, "GET", `/api/accounts/${ada.username}/photos`)
      ).json();
      expect(items).toEqual([]);
    } finally {
      await replay("resume");
    }
  });

  test("signs nobody in who signed out", async () => {
    const ada = await town.member("Ada Leaves");
    const [here, there] = [await server(replica.connection), await server(replica.connection)];
    const cookie = await here.cookieOf(ada);
    await ageSessions();
    await pauseReplay();
    try {
      const headers = { cookie };
      await here.app.inject({ method: "DELETE", url: "/api/session", headers });
      const { user } = (await there.app.inject({ url: "/api/session", headers })).json();
      expect(user).toBeNull();
    } finally {
      await replay("resume");
    }
  });

  test("that is too far behind, or away, is not read, which is logged once", async () => {
    const ada = await town.member("Ada Waits");
    const post = await town.textPost(ada);
    const here = await server(replica.connection, { mostLag: 400 });
    const url = pathOf(post);
    const read = async () => {
      expect((await here.app.inject({ url: "/health/ready" })).statusCode).toBe(200);
      return here.countsOf(null, url);
    };
    await caughtUp([here], url);
    await pauseReplay();
    await until(async () => {
      await query(town.db, "update accounts set updated_at = now() where id = $1", [ada.id]);
      return (await read()).replica === 0 && here.said.length > 0;
    });
    for (let reads = 0; reads < 5; reads += 1) expect((await read()).replica).toBe(0);
    expect(here.said).toEqual([expect.stringContaining("too far behind")]);
    await replay("resume");
    await until(async () => (await read()).replica > 0);
    expect(here.said).toEqual([
      expect.stringContaining("too far behind"),
      expect.stringContaining("is read again"),
    ]);

    here.said.length = 0;
    await replica.stop();
    await until(async () => (await read()).replica === 0 && here.said.length > 0);
    for (let reads = 0; reads < 5; reads += 1) expect((await read()).replica).toBe(0);
    expect(here.said.filter((line) => line.includes("the replica is not read"))).toHaveLength(1);
    const again = await replica.startAgain();
    replica.stop = again.stop;
    await until(async () => (await read()).replica > 0);
  });

  test("that is lost silently costs a limited wait", async () => {
    const post = await town.textPost(await town.member());
    const network = await startFaultyProxy(replica.connection);
    const here = await server(network.connection, { readBounds: null });
    await caughtUp([here], pathOf(post));
    network.loseInSilence();
    for (let reads = 0; reads < 3; reads += 1) await here.countsOf(null, pathOf(post));
    await until(async () => (await here.countsOf(null, pathOf(post))).replica > 0);
  });

  test("that is not a replica, or is one of another database, is never read", async () => {
    const post = await town.textPost(await town.member());
    for (const [wrong, why] of [
      [primary.connection, "it is no replica"],
      [{ ...replica.connection, database: "template1" }, "it is a replica of another database"],
    ] as const) {
      const here = await server(wrong);
      await until(async () => {
        await here.ask(null, "GET", pathOf(post));
        return here.said.length > 0;
      });
      expect(here.said).toEqual([expect.stringContaining(why)]);
      expect((await here.ask(null, "GET", pathOf(post))).statusCode).toBe(200);
    }
  });
});

/** The Authorization header of a program that acts for this member. */
async function tokenOf({ features, cookieOf }: Server, member: Viewer): Promise<string> {
  const { sessions } = features.identity;
  const viewer = await sessions.viewerOf({ cookie: await cookieOf(member) });
  if (!viewer) throw new Error("nobody is signed in");
  return `Bearer ${sessions.bearerOf(viewer)}`;
}
