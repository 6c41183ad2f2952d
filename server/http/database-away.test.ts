import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import type { PoolConfig } from "pg";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { requestBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { toRefusal } from "#server/http/errors.ts";
import { afterFile } from "#server/test/after-file.ts";
import { testApp } from "#server/test/app.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { freshDatabase } from "#server/test/database.ts";
import { startClosingServer } from "#server/test/faulty-proxy.ts";
import { query } from "#server/test/query.ts";
import { client } from "#server/test/identity.ts";
import { until } from "#server/test/until.ts";

const log = pino({ level: "silent" });
let db: Database;
let connection: PoolConfig;

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
});

function another(to: PoolConfig, lock = 60_000): Database {
  const opened = createDatabase({ connection: to, log, bounds: { ...requestBounds, lock } });
  afterFile(() => opened.close());
  return opened;
}

describe("a proxy in front of the database that accepts and closes", () => {
  test("is 503 with Retry-After for programs, and not ready", async () => {
    const { call } = await testApp(another(await startClosingServer()));
    const refused = await call(null, "GET", "/api/users");
    expect(refused.json()).toMatchObject({ error: { code: "not-ready" } });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "2"]);
    const ready = await call(null, "GET", "/health/ready");
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: "not ready" }]);
  });
});

describe("a locked table", () => {
  test("is 503 with Retry-After", async () => {
    const { call } = await testApp(another(connection, 200));
    expect((await call(null, "GET", "/api/users")).statusCode).toBe(200);
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db.transaction(async () => {
      await query(db, "lock table posts, accounts in access exclusive mode");
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const refused = await call(null, "GET", "/api/users");
    held.resolve();
    await holding;
    expect(refused.json()).toMatchObject({ error: { code: "busy" } });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "2"]);
  });
});

describe("a database that can only be read", () => {
  test("serves those who read, refuses to write, and says so", async () => {
    const fresh = await freshDatabase();
    const { app, features, call, cookieOf } = await testApp(fresh.db, {}, { rateLimits: true });
    const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Marsh")];
    const { number } = await features.textPost(bob, "Hello");
    await cookieOf(ada);
    // Its use is due to be recorded, and its expiry to be moved.
    const due = "used_at = now() - interval '2 days', expires_at = now() + interval '9 days'";
    await query(fresh.db, `update sessions set ${due}`);
    await readOnly(fresh.db, fresh.connection);

    const post = `/api/posts/${bob.username}/${number}`;
    const reads = ["/api/feed", "/api/users", post, `${post}/comments`, "/api/chats"];
    for (const url of [...reads, "/api/notifications", "/api/session"]) {
      const read = await call(ada, "GET", url);
      expect([url, read.statusCode]).toEqual([url, 200]);
    }
    expect((await features.search.accounts(ada, bob.username, null, client())).items).toHaveLength(
      1,
    );
    expect((await features.search.accounts(ada, bob.email, null, client())).items).toEqual([]);
    expect(await features.notifications.open(ada, "all", null)).toMatchObject({ unread: 0 });
    const refused = await call(ada, "PUT", `${post}/like`);
    expect(refused.json()).toMatchObject({ error: { code: "read-only" } });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "30"]);
    const ready = await app.inject("/health/ready");
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: "read only" }]);
  });
});

describe("a database whose disk is full", () => {
  test("is reported as such, serves those who read, and takes writes again when there is room", async () => {
    const { features, call } = await testApp(db);
    const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Marsh")];
    const { number } = await features.textPost(bob, "Hello");
    const post = `/api/posts/${bob.username}/${number}`;
    expect((await call(ada, "GET", "/api/feed")).statusCode).toBe(200);
    db.setFull(true);
    for (const url of ["/api/feed", "/api/users", post]) {
      expect((await call(ada, "GET", url)).statusCode).toBe(200);
    }
    const refused = await call(ada, "PUT", `${post}/like`);
    expect(refused.json()).toMatchObject({
      error: { code: "disk-full", message: expect.stringMatching(/^The server's disk is full/) },
    });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([507, "60"]);
    db.setFull(false);
    expect((await call(ada, "PUT", `${post}/like`)).statusCode).toBe(200);
  });

  test.each([
    ["PostgreSQL has no room for a row", { code: "53100", message: "" }],
    ["or none for its log", { code: "57P02", message: "could not write: No space left on device" }],
  ])("%s", (_what, { code, message }) => {
    const { status, retryAfter } = toRefusal(Object.assign(new Error(message), { code }));
    expect([status, retryAfter]).toEqual([507, 60]);
  });
});

/** Every connection from now on can only read, as on a standby. */
async function readOnly(database: Database, to: PoolConfig): Promise<void> {
  const name = String(to.database);
  await runAdminStatement(to, `alter database ${name} set default_transaction_read_only = on`);
  const others = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
  await query(db, others, [name]);
  await until(async () => (await database.ping(5000)) === "read-only");
}

describe("a server that is being stopped", () => {
  test("refuses in the usual shape: JSON for programs, a page for people", async () => {
    const { app } = await testApp(db);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    let asked = 0;
    app.server.on("request", () => (asked += 1));
    const sockets = await Promise.all([begun(port), begun(port)]);
    await until(() => asked === 2);
    const closing = app.close();
    const answers = await Promise.all([
      finished(sockets[0], ""),
      finished(sockets[1], "Accept: text/html\r\n"),
    ]);
    await closing;
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toMatch(/\r\nRetry-After: 5\r\n/i);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    }
    expect(answers[0]).toMatch(/\{"error":\{"code":"not-ready","message":"Postcard is restarting/);
    expect(answers[1]).toMatch(/<!doctype html>.*Postcard is restarting/s);
  });
});

/** A connection with a request in progress, whose body the server waits for. */
async function begun(port: number) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
  socket.write(`POST /api/session HTTP/1.1\r\nHost: localhost\r\n${json}\r\n`);
  return socket;
}

/** Ends that request and sends another, whose answer is returned. */
async function finished(socket: ReturnType<typeof connect>, headers: string): Promise<string> {
  let answers = "";
  socket.on("data", (chunk) => (answers += String(chunk)));
  socket.write(`{}GET /somewhere HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  await once(socket, "close");
  return answers.slice(answers.lastIndexOf("HTTP/1.1"));
}
