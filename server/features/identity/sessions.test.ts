import { createHmac } from "node:crypto";
import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { signToken } from "#server/features/identity/session-tokens.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, authSecret, client, testIdentity } from "#server/test/identity.ts";
import type { Viewer } from "#shared/views.ts";

const statements: string[] = [];
let db: Database;
let identity: ReturnType<typeof testIdentity>;
let viewer: Viewer;
let cookies: string[];
/** `token.signature`, as the browser got it */
let signed: string;

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => statements.push(text)));
  identity = testIdentity(db);
});

beforeEach(async () => {
  ({ viewer, cookies } = await identity.join());
  signed = decodeURIComponent(/^postcard\.session=([^;]+)/.exec(cookies[0] ?? "")?.[1] ?? "");
});

function withCookie(value: string) {
  return identity.sessions.viewerOf({ cookie: `theme=light; postcard.session=${value}; x=y` });
}

async function expireIn(interval: string) {
  await db.query(sql`
    update sessions set expires_at = now() + ${interval}::interval where id = ${viewer.sessionId}
  `);
}

function withBearer(authorization: string) {
  return identity.sessions.viewerOf({ authorization });
}

async function daysLeft(): Promise<number> {
  const rows = await db.query<{ days: number }>(sql`
    select extract(epoch from expires_at - now())::float8 / 86400 as days
    from sessions where id = ${viewer.sessionId}
  `);
  return rows[0]?.days ?? 0;
}

const claims = (value: string, { sessions } = identity) =>
  sessions.claimsSession({ cookie: `postcard.session=${encodeURIComponent(value)}` });

describe("who counts as a member under load shedding", () => {
  test("is anybody with a valid token; an invented one makes a visitor", async () => {
    expect(claims(signed)).toBe(true);
    const invented = signToken("a".repeat(43), "a secret of somebody else");
    expect([claims(invented), claims("anything"), claims("a.b")]).toEqual([false, false, false]);
    const { claimsSession } = identity.sessions;
    expect(claimsSession({ authorization: `Bearer ${signed}` })).toBe(true);
    expect(claimsSession({ authorization: `Bearer ${invented}` })).toBe(false);
  });

  test("is nobody who signed out, without a query for each request", async () => {
    await identity.sessions.signOut({ cookie: asCookieHeader(cookies) });
    const before = statements.length;
    expect([claims(signed), claims(signed)]).toEqual([false, false]);
    expect(statements.length).toBe(before);
  });

  test("is nobody whose session ended elsewhere, once one of their requests was served here", async () => {
    const elsewhere = testIdentity(db);
    expect(claims(signed, elsewhere)).toBe(true);
    await identity.sessions.signOut({ cookie: asCookieHeader(cookies) });
    expect(await elsewhere.sessions.viewerOf({ cookie: asCookieHeader(cookies) })).toBeNull();
    const before = statements.length;
    expect([claims(signed, elsewhere), claims(signed, elsewhere)]).toEqual([false, false]);
    expect(statements.length).toBe(before);
  });

  test("is a member again whose session is found again", async () => {
    await expireIn("-1 minute");
    expect(await withCookie(encodeURIComponent(signed))).toBeNull();
    expect(claims(signed)).toBe(false);
    await expireIn("1 day");
    expect(await withCookie(encodeURIComponent(signed))).toEqual(viewer);
    expect(claims(signed)).toBe(true);
  });
});

describe("the session cookie", () => {
  test("is out of reach for scripts and other sites, and lasts 30 days", () => {
    const attributes = cookies[0]?.split("; ").slice(1).toSorted();
    expect(attributes).toEqual(["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Lax"]);
  });

  test("is for https only where people use https", async () => {
    const overHttps = testIdentity(db, { publicUrl: "https://photos.example.org" });
    const { cookies, viewer } = await overHttps.join();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-postcard\.(session|device)=/);
      expect(cookie).toContain("; Secure");
      expect(cookie).not.toContain("Domain");
    }
    const cookie = asCookieHeader(cookies);
    expect(await overHttps.sessions.viewerOf({ cookie })).toEqual(viewer);
    expect((await overHttps.sessions.signOut({ cookie })).cookies[0]).toContain("; Secure");
  });

  test("is a token with its signature, as the look-up reads it", () => {
    const token = signed.slice(0, signed.lastIndexOf("."));
    expect(signToken(token, authSecret)).toBe(signed);
  });
});

describe("the sender of a request", () => {
  test("costs one statement, prepared", async () => {
    statements.length = 0;
    expect(await withCookie(encodeURIComponent(signed))).toEqual(viewer);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain("from sessions");
  });

  test("costs nothing for a visitor", async () => {
    statements.length = 0;
    expect(await identity.sessions.viewerOf({})).toBeNull();
    expect(await identity.sessions.viewerOf({ cookie: "theme=light" })).toBeNull();
    expect(await withCookie("")).toBeNull();
    expect(statements).toEqual([]);
  });

  test("is a visitor with a forged cookie, and the database is not queried", async () => {
    const token = signed.slice(0, signed.lastIndexOf("."));
    const stranger = createHmac("sha256", "another secret").update(token).digest("base64");
    const other = signToken("another token", authSecret).split(".")[1];
    statements.length = 0;
    for (const forged of [
      token,
      `${token}.`,
      `.${signed.split(".")[1]}`,
      `${token}.${stranger}`,
      `${token}.${other}`,
      `${token}x.${signed.split(".")[1]}`,
      signed.slice(0, -2),
      `${signed}=`,
      signed.toLowerCase(),
      "%",
      "%00",
      "a".repeat(100_000),
    ]) {
      expect(await withCookie(forged), forged.slice(0, 60)).toBeNull();
    }
    expect(statements).toEqual([]);
  });

  test("is the member of a signed bearer token, never of a clear one", async () => {
    const token = signed.slice(0, signed.lastIndexOf("."));
    expect(await withBearer(`Bearer ${signed}`)).toEqual(viewer);
    expect(await withBearer(`bearer ${encodeURIComponent(signed)}`)).toEqual(viewer);
    for (const wrong of [token, `${token}.x`, "", signed.slice(1), "%"]) {
      expect(await withBearer(`Bearer ${wrong}`)).toBeNull();
    }
    expect(await withBearer(`Basic ${signed}`)).toBeNull();
  });

  test("is a visitor again when the session was revoked or expired", async () => {
    await expireIn("-1 second");
    expect(await withCookie(encodeURIComponent(signed))).toBeNull();
    await expireIn("1 day");
    expect(await withCookie(encodeURIComponent(signed))).not.toBeNull();
    await db.query(sql`delete from sessions where id = ${viewer.sessionId}`);
    expect(await withCookie(encodeURIComponent(signed))).toBeNull();
  });
});

describe("a session in use", () => {
  test("is not extended on its first day", async () => {
    await expireIn("29 days 1 minute");
    statements.length = 0;
    const seen = await withCookie(encodeURIComponent(signed));
    expect(identity.sessions.renewedCookies(seen)).toEqual([]);
    // anything sent in the background was sent before this
    await daysLeft();
    expect(statements.filter((text) => text.trim().startsWith("update"))).toEqual([]);
  });

  test("is extended to 30 days at most once a day, and its cookie is sent again", async () => {
    await expireIn("28 days 23 hours");
    const seen = await withCookie(encodeURIComponent(signed));
    const [cookie = ""] = identity.sessions.renewedCookies(seen);
    expect(cookie).toMatch(
      /^postcard\.session=.+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(asCookieHeader([cookie])).toBe(asCookieHeader([cookies[0] ?? ""]));

    await expect.poll(() => daysLeft(), { timeout: 5_000 }).toBeGreaterThan(29.9);
    const again = await withCookie(encodeURIComponent(signed));
    expect(again).toEqual(viewer);
    expect(identity.sessions.renewedCookies(again)).toEqual([]);
    expect(identity.sessions.renewedCookies(null)).toEqual([]);
  });
});

async function begunAgo(interval: string) {
  await db.query(sql`
    update sessions set created_at = now() - ${interval}::interval where id = ${viewer.sessionId}
  `);
}

describe("a session in use every day", () => {
  test("ends a year after it began", async () => {
    await begunAgo("355 days");
    await expireIn("5 days");
    expect(await withCookie(signed)).not.toBeNull();
    await expect.poll(() => daysLeft(), { timeout: 5_000 }).toBeGreaterThan(9.9);
    expect(await daysLeft()).toBeLessThan(10.1);

    const before = statements.length;
    const member = await withCookie(signed);
    expect(identity.sessions.renewedCookies(member), "nothing more to prolong").toEqual([]);
    expect(statements.length - before).toBe(1);
    await begunAgo("366 days");
    expect(await withCookie(signed)).toBeNull();
  });
});

async function usedAgo(interval: string) {
  await db.query(sql`
    update sessions set used_at = now() - ${interval}::interval where id = ${viewer.sessionId}
  `);
}

async function secondsUnused(): Promise<number> {
  const rows = await db.query<{ seconds: number }>(sql`
    select extract(epoch from now() - used_at)::float8 as seconds
    from sessions where id = ${viewer.sessionId}
  `);
  return rows[0]?.seconds ?? Number.NaN;
}

/** How often a row of the sessions is written from now on. */
async function countWrites(): Promise<() => Promise<number>> {
  await db.query(sql`create sequence session_writes`);
  await db.query(sql`create function count_write() returns trigger language plpgsql as
    $$ begin perform nextval('session_writes'); return null; end $$`);
  await db.query(sql`create trigger count_writes after update on sessions
    for each row execute function count_write()`);
  return async () => {
    const rows = await db.query<{ count: number }>(sql`
      select case when is_called then last_value else 0 end::int as count from session_writes
    `);
    return rows[0]?.count ?? Number.NaN;
  };
}

describe("the last use of a session", () => {
  test("is written at most once in five minutes, after the one statement that finds the member", async () => {
    await usedAgo("4 minutes 30 seconds");
    statements.length = 0;
    await withCookie(encodeURIComponent(signed));
    expect(await secondsUnused()).toBeGreaterThan(200);
    expect(statements.filter((text) => text.trim().startsWith("update"))).toEqual([]);

    await usedAgo("6 minutes");
    const writes = await countWrites();
    const asked = Array.from({ length: 10 }, () => withCookie(encodeURIComponent(signed)));
    expect((await Promise.all(asked)).every((seen) => seen?.id === viewer.id)).toBe(true);
    await expect.poll(() => secondsUnused(), { timeout: 5_000 }).toBeLessThan(60);
    // One that was looked up before the first one's write may have tried as well: to no effect.
    expect(await writes()).toBe(1);
    statements.length = 0;
    await withCookie(encodeURIComponent(signed));
    expect(statements.filter((text) => text.trim().startsWith("update"))).toEqual([]);
  });

  test("fails nobody's request when it cannot be written", async () => {
    await usedAgo("6 minutes");
    await db.query(sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`);
    await db.query(sql`create trigger refuse before update on sessions
      for each row execute function refuse()`);
    try {
      expect(await withCookie(encodeURIComponent(signed))).toEqual(viewer);
      await expect
        .poll(() => identity.logged.join("\n"), { timeout: 5_000 })
        .toContain("the use of a session could not be written");
    } finally {
      await db.query(sql`drop function refuse cascade`);
    }
  });
});

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";

async function signInAgain(userAgent: string, ip = "192.0.2.7") {
  const entered = await identity.signIn.complete(viewer.id, client({ userAgent, ip }), "password");
  if (!entered.viewer) throw new Error("a second factor was asked for");
  return entered;
}

describe("the list of sessions", () => {
  test("has the member's valid ones, the current first, then the last used, in words", async () => {
    await identity.join();
    const phone = await signInAgain("curl/8.14.1", "2001:db8::1");
    const laptop = await signInAgain(firefox);
    await usedAgo("3 hours");
    const over = await signInAgain("over");
    await db.query(sql`update sessions set expires_at = now() where id = ${over.viewer.sessionId}`);
    const seen = await identity.sessions.list(viewer);
    expect(seen.map(({ id, device, ip, current }) => [id, device.name, ip, current])).toEqual([
      [viewer.sessionId, "a", "192.0.2.1", true],
      [laptop.viewer.sessionId, "Firefox on Linux", "192.0.2.7", false],
      [phone.viewer.sessionId, "curl", "2001:db8::1", false],
    ]);
    const [here] = seen;
    expect((here?.startedAt ?? 0) - (here?.usedAt ?? 0)).toBeGreaterThan(2.9 * 3_600_000);
  });

  test("ends one of them at its next request, never somebody else's", async () => {
    const other = await identity.join();
    const laptop = await signInAgain(firefox);
    const cookie = asCookieHeader(laptop.cookies);
    for (const id of [other.viewer.sessionId, "no id", "", `${laptop.viewer.sessionId}'`]) {
      await identity.sessions.endOne(viewer, id);
    }
    expect(await identity.sessions.viewerOf({ cookie })).toEqual(laptop.viewer);
    expect(
      await identity.sessions.viewerOf({ cookie: asCookieHeader(other.cookies) }),
    ).not.toBeNull();
    await identity.sessions.endOne(viewer, laptop.viewer.sessionId);
    await identity.sessions.endOne(viewer, laptop.viewer.sessionId);
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
    expect(await withCookie(encodeURIComponent(signed))).toEqual(viewer);
    expect(await identity.sessions.list(viewer)).toHaveLength(1);
  });
});

describe("signing out", () => {
  test("ends the session everywhere and clears the cookie", async () => {
    const cookie = asCookieHeader(cookies);
    const answer = await identity.sessions.signOut({ cookie });
    expect(answer.cookies).toEqual([
      "postcard.session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
      // the cookie of an account that was to be deleted
      "postcard.leaving=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
      // and that of one that is suspended
      "postcard.suspended=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ]);
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
    expect(await identity.sessions.viewerOf({ authorization: `Bearer ${signed}` })).toBeNull();
    const rows = await db.query(sql`select id from sessions where id = ${viewer.sessionId}`);
    expect(rows).toEqual([]);
  });

  test("is fine twice and as a visitor, and ends nobody else's session", async () => {
    const other = await identity.join();
    await identity.sessions.signOut({});
    await identity.sessions.signOut({ cookie: `postcard.session=${signed.split(".")[0]}` });
    expect(await withCookie(encodeURIComponent(signed))).toEqual(viewer);
    await identity.sessions.signOut({ cookie: asCookieHeader(cookies) });
    await identity.sessions.signOut({ cookie: asCookieHeader(cookies) });
    expect(await identity.sessions.viewerOf({ cookie: asCookieHeader(other.cookies) })).toEqual(
      other.viewer,
    );
  });
});

describe("the sweep", () => {
  test("deletes what expired and nothing else", async () => {
    const other = await identity.join();
    await expireIn("-1 second");
    await db.query(sql`
      insert into rate_limits (key, points, expire)
      values ('past', 1, ${Date.now() - 1}), ('coming', 1, ${Date.now() + 60_000})
    `);
    await db.query(sql`
      insert into mailed_links (token_hash, account_id, detail, revocable, expires_at) values
        ('past', ${other.viewer.id}, '', true, now() - interval '1 second'),
        ('coming', ${other.viewer.id}, '', true, now() + interval '1 minute')
    `);
    await db.query(sql`
      insert into passkey_challenges (token_hash, challenge, expires_at) values
        ('past', 'c', now() - interval '1 second'), ('coming', 'c', now() + interval '1 minute')
    `);
    await identity.sweep();
    const keys = await db.query(sql`select key from rate_limits`);
    expect(keys).toEqual([{ key: "coming" }]);
    for (const table of ["mailed_links", "passkey_challenges"] as const) {
      const left = await db.query(sql`select token_hash from ${sql.table(table)}`);
      expect(left, table).toEqual([{ token_hash: Buffer.from("coming") }]);
    }
    const sessions = await db.query<{ id: string }>(sql`select id from sessions`);
    expect(sessions.map(({ id }) => id)).not.toContain(viewer.sessionId);
    expect(sessions.map(({ id }) => id)).toContain(other.viewer.sessionId);
  });
});
