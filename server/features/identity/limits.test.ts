import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  createAttemptLimits,
  limitNumbers,
  type LimitKind,
} from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { isRefusal } from "#shared/errors.ts";

let db: Database;
beforeAll(async () => {
  ({ db } = await freshDatabase());
});

let networks = 0;
/** A network that no earlier test used. */
function newNetwork(): string {
  networks += 1;
  return `198.51.${networks >> 8}.${networks & 255}`;
}

function limited(numbers: Partial<Record<LimitKind, { points: number; seconds: number }>> = {}) {
  return testIdentity(db, { rateLimits: true, limitNumbers: { ...limitNumbers, ...numbers } });
}

/** The outcome of each try: a refusal's code, or "in". */
async function outcomes(tries: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries);
  return settled.map((result) => {
    if (result.status === "fulfilled") return "in";
    return isRefusal(result.reason) ? result.reason.code : String(result.reason);
  });
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe("failures of an account", () => {
  test("are 10 in 15 minutes, from anywhere; then the right password waits too", async () => {
    const identity = limited();
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    const attempt = (password: string) =>
      identity.signIn.withPassword({
        email: viewer.email,
        password,
        client: client({ ip: newNetwork() }),
      });
    for (let n = 0; n < 10; n += 1) {
      await expect(attempt("wrong password")).rejects.toMatchObject({ code: "wrong-credentials" });
    }
    const refusal = await attempt(goodPassword).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "too-many-attempts", status: 429 });
    const { retryAfter = 0 } = refusal as { retryAfter?: number };
    expect(retryAfter).toBeGreaterThan(14 * 60);
    expect(retryAfter).toBeLessThanOrEqual(15 * 60);
  });

  test("lock an unknown email in the same way", async () => {
    const identity = limited({ "account-failures": { points: 2, seconds: 60 } });
    const attempt = (email: string) =>
      identity.signIn.withPassword({
        email,
        password: goodPassword,
        client: client({ ip: newNetwork() }),
      });
    const emails = ["ghost@example.org", "GHOST@example.org ", "Ghost@Example.org"];
    const results = [];
    for (const email of emails) results.push(...(await outcomes([attempt(email)])));
    expect(results).toEqual(["wrong-credentials", "wrong-credentials", "too-many-attempts"]);
  });

  test("are counted exactly when a hundred come at once", async () => {
    const identity = limited();
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    const tries = Array.from({ length: 100 }, () =>
      identity.signIn.withPassword({
        email: viewer.email,
        password: "wrong password",
        client: client({ ip: newNetwork() }),
      }),
    );
    expect(tally(await outcomes(tries))).toEqual({
      "wrong-credentials": 10,
      "too-many-attempts": 90,
    });
  });

  test("expire after their time", async () => {
    const identity = limited({ "account-failures": { points: 1, seconds: 4 } });
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    const attempt = (password: string) =>
      outcomes([
        identity.signIn.withPassword({
          email: viewer.email,
          password,
          client: client({ ip: newNetwork() }),
        }),
      ]);
    expect(await attempt("wrong password")).toEqual(["wrong-credentials"]);
    expect(await attempt(goodPassword)).toEqual(["too-many-attempts"]);
    await expect.poll(() => attempt(goodPassword), { timeout: 10_000 }).toEqual(["in"]);
  });

  test("do not grow by signing in", async () => {
    const identity = limited({
      "account-failures": { points: 2, seconds: 60 },
      "network-failures": { points: 2, seconds: 60 },
    });
    const ip = newNetwork();
    const { viewer } = await identity.join({ client: client({ ip }) });
    const { email } = viewer;
    for (let n = 0; n < 5; n += 1) {
      const again = identity.signIn.withPassword({
        email,
        password: goodPassword,
        client: client({ ip }),
      });
      expect(await outcomes([again])).toEqual(["in"]);
    }
  });
});

describe("a device the account knows", () => {
  test("is not locked out by others' failures, and has a count of its own", async () => {
    const identity = limited({
      "account-failures": { points: 3, seconds: 60 },
      "network-failures": { points: 4, seconds: 60 },
      "device-failures": { points: 2, seconds: 60 },
    });
    const ip = newNetwork();
    const joined = await identity.join({ client: client({ ip: newNetwork() }) });
    const { email } = joined.viewer;
    const [, deviceCookie = ""] = joined.cookies;
    expect(deviceCookie).toMatch(
      /^postcard\.device=.*Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(decodeURIComponent(deviceCookie)).not.toContain(joined.viewer.id);
    const stranger = client({ ip });
    const own = client({ ip, cookieHeader: asCookieHeader([deviceCookie]) });
    const attempt = (from: typeof own, password: string, who = email) =>
      outcomes([identity.signIn.withPassword({ email: who, password, client: from })]);

    for (let n = 0; n < 3; n += 1) await attempt(stranger, "wrong password");
    await attempt(stranger, "wrong password", "somebody@example.org");
    expect(await attempt(stranger, goodPassword)).toEqual(["too-many-attempts"]);

    expect(await attempt(own, "wrong password")).toEqual(["wrong-credentials"]);
    expect(await attempt(own, goodPassword)).toEqual(["in"]);
    expect(await attempt(own, "wrong password")).toEqual(["wrong-credentials"]);
    expect(await attempt(own, "wrong password")).toEqual(["too-many-attempts"]);
    expect(await attempt(own, goodPassword)).toEqual(["too-many-attempts"]);
  });

  test("remembers its other accounts, each with a count of its own", async () => {
    const identity = limited({ "device-failures": { points: 1, seconds: 60 } });
    const first = await identity.join({ client: client({ ip: newNetwork() }) });
    const second = await identity.join({
      client: client({ ip: newNetwork(), cookieHeader: asCookieHeader(first.cookies) }),
    });
    let cookieHeader = asCookieHeader(second.cookies);
    const attempt = async (email: string, password: string) => {
      const from = client({ ip: newNetwork(), cookieHeader });
      const result = await identity.signIn.withPassword({ email, password, client: from });
      cookieHeader = asCookieHeader(result.cookies);
    };
    await attempt(first.viewer.email, goodPassword);
    await attempt(second.viewer.email, goodPassword);
    await expect(attempt(first.viewer.email, "wrong password")).rejects.toMatchObject({
      code: "wrong-credentials",
    });
    await expect(attempt(first.viewer.email, goodPassword)).rejects.toMatchObject({
      code: "too-many-attempts",
    });
    await attempt(second.viewer.email, goodPassword);
  });

  test("cannot be forged, nor used for another account", async () => {
    const identity = limited({ "account-failures": { points: 1, seconds: 60 } });
    const known = await identity.join({ client: client({ ip: newNetwork() }) });
    const victim = await identity.join({ client: client({ ip: newNetwork() }) });
    const value = decodeURIComponent(/=([^;]+)/.exec(known.cookies[1] ?? "")?.[1] ?? "");
    const forgeries = [
      value,
      "A".repeat(44),
      `${value.slice(0, -1)}.`,
      "",
      "..",
      "x".repeat(90_000),
    ];
    const results = [];
    for (const forged of forgeries) {
      const cookieHeader = `postcard.device=${encodeURIComponent(forged)}`;
      const from = client({ ip: newNetwork(), cookieHeader });
      const { email } = victim.viewer;
      results.push(
        ...(await outcomes([
          identity.signIn.withPassword({ email, password: "wrong password", client: from }),
        ])),
      );
    }
    expect(results).toEqual(["wrong-credentials", ...Array(5).fill("too-many-attempts")]);
  });
});

describe("failures of a network", () => {
  test("are 50 in 15 minutes over all emails; another network is not affected", async () => {
    const identity = limited();
    const ip = newNetwork();
    const attempt = (n: number, from: string) =>
      identity.signIn.withPassword({
        email: `guess${n}@example.org`,
        password: "wrong password",
        client: client({ ip: from }),
      });
    const tries = Array.from({ length: 60 }, (_, n) => attempt(n, ip));
    expect(tally(await outcomes(tries))).toEqual({
      "wrong-credentials": 50,
      "too-many-attempts": 10,
    });
    expect(await outcomes([attempt(1, newNetwork())])).toEqual(["wrong-credentials"]);
  });

  test("count an IPv6 home by its /64, and IPv4-mapped IPv6 as IPv4", async () => {
    const identity = limited({ "network-failures": { points: 1, seconds: 60 } });
    let n = 0;
    const attempt = async (ip: string) => {
      n += 1;
      const email = `v6guess${n}@example.org`;
      const from = client({ ip });
      return (
        await outcomes([
          identity.signIn.withPassword({ email, password: "wrong password", client: from }),
        ])
      )[0];
    };
    expect(await attempt("2001:db8:1:2::1")).toBe("wrong-credentials");
    expect(await attempt("2001:db8:1:2:ffff::9")).toBe("too-many-attempts");
    expect(await attempt("2001:db8:1:3::1")).toBe("wrong-credentials");
    expect(await attempt("203.0.113.7")).toBe("wrong-credentials");
    expect(await attempt("::ffff:203.0.113.7")).toBe("too-many-attempts");
  });

  test("are not used up by an account that is locked anyway", async () => {
    const identity = limited({
      "account-failures": { points: 1, seconds: 60 },
      "network-failures": { points: 3, seconds: 60 },
    });
    const from = client({ ip: newNetwork() });
    const attempt = (email: string) =>
      outcomes([identity.signIn.withPassword({ email, password: "wrong password", client: from })]);
    for (let n = 0; n < 6; n += 1) await attempt("locked@example.org");
    expect(await attempt("other@example.org")).toEqual(["wrong-credentials"]);
  });
});

describe("sign-ups of a network", () => {
  test("are 10 an hour, whether one after another or at once", async () => {
    const identity = limited();
    const from = client({ ip: newNetwork() });
    const tries = Array.from({ length: 13 }, () => identity.join({ client: from }));
    expect(tally(await outcomes(tries))).toEqual({ in: 10, "too-many-attempts": 3 });
    await expect(identity.join({ client: from })).rejects.toMatchObject({
      code: "too-many-attempts",
      retryAfter: expect.closeTo(3600, -2),
    });
    expect(await outcomes([identity.join({ client: client({ ip: newNetwork() }) })])).toEqual([
      "in",
    ]);
  });

  test("are not used up by forms with mistakes", async () => {
    const identity = limited({ "sign-ups": { points: 1, seconds: 60 } });
    const from = client({ ip: newNetwork() });
    const unreadable = await identity.upload("no picture");
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    await outcomes([
      identity.join({ client: from, password: "short" }),
      identity.join({ client: from, picture: null }),
    ]);
    await outcomes([identity.join({ client: from, picture: unreadable })]);
    await outcomes([identity.join({ client: from, email: viewer.email })]);
    expect(await outcomes([identity.join({ client: from })])).toEqual(["in"]);
    expect(await outcomes([identity.join({ client: from })])).toEqual(["too-many-attempts"]);
  });

  test("refused for their number are no failures", async () => {
    const identity = limited({
      "sign-ups": { points: 1, seconds: 1 },
      "sign-up-failures": { points: 2, seconds: 60 },
    });
    const from = client({ ip: newNetwork() });
    const attempt = () => outcomes([identity.join({ client: from })]);
    expect(await attempt()).toEqual(["in"]);
    await Promise.all([attempt(), attempt(), attempt(), attempt()]);
    await expect.poll(attempt, { timeout: 10_000 }).toEqual(["in"]);
  });

  test("cannot be used to check any number of emails for accounts", async () => {
    const identity = limited({ "sign-up-failures": { points: 3, seconds: 60 } });
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    const from = client({ ip: newNetwork() });
    const results = [];
    for (let n = 0; n < 4; n += 1) {
      results.push(...(await outcomes([identity.join({ client: from, email: viewer.email })])));
    }
    expect(results).toEqual([...Array(3).fill("email-in-use"), "too-many-attempts"]);
  });
});

test("usernames are looked up 100 times in 15 minutes from a network before a sign-up", async () => {
  const identity = limited();
  const from = { ip: newNetwork() };
  const asked = { username: "nobody_yet", name: "" };
  for (let n = 0; n < 100; n += 1) await identity.signUp.checkUsername(asked, from);
  const more = identity.signUp.checkUsername(asked, from);
  await expect(more).rejects.toMatchObject({ code: "too-many-attempts" });
  await identity.signUp.checkUsername(asked, { ip: newNetwork() });
});

describe("the counts", () => {
  test("hold failures only, however many came at once", async () => {
    const identity = limited({ "network-failures": { points: 5, seconds: 60 } });
    const from = client({ ip: newNetwork() });
    const { viewer } = await identity.join({ client: client({ ip: newNetwork() }) });
    const { email } = viewer;
    const rightTry = () =>
      identity.signIn.withPassword({ email, password: goodPassword, client: from });
    const results = await outcomes(Array.from({ length: 9 }, rightTry));
    expect(results).toContain("in");
    const guess = (n: number) =>
      identity.signIn.withPassword({
        email: `g${n}@example.org`,
        password: goodPassword,
        client: from,
      });
    const guesses = await outcomes([1, 2, 3, 4, 5, 6].map(guess));
    expect(tally(guesses)).toEqual({ "wrong-credentials": 5, "too-many-attempts": 1 });
  });

  test("of a new window are not lowered by refunds of the one before", async () => {
    const limits = createAttemptLimits({
      db,
      secret: "of this test",
      enabled: true,
      numbers: { ...limitNumbers, "network-failures": { points: 2, seconds: 3 } },
    });
    const count = () => limits.count("network-failures", "late refunds");
    const early = [await count(), await count()];
    await expect.poll(() => outcomes([count()]), { timeout: 10_000 }).toEqual(["in"]);
    for (const { refund } of early) await refund();
    expect(tally(await outcomes([count(), count(), count()]))).toEqual({
      in: 1,
      "too-many-attempts": 2,
    });
  });

  test("outlive a rollback around them", async () => {
    const identity = limited({ "account-failures": { points: 1, seconds: 60 } });
    const attempt = () =>
      identity.signIn.withPassword({
        email: "rolled-back@example.org",
        password: "wrong password",
        client: client({ ip: newNetwork() }),
      });
    await expect(db.transaction(attempt)).rejects.toMatchObject({ code: "wrong-credentials" });
    await expect(attempt()).rejects.toMatchObject({ code: "too-many-attempts" });
  });

  test("outlive a restart and are shared by every process", async () => {
    const numbers = { "account-failures": { points: 1, seconds: 60 } };
    const attempt = (identity: ReturnType<typeof limited>) =>
      outcomes([
        identity.signIn.withPassword({
          email: "restart@example.org",
          password: "wrong password",
          client: client({ ip: newNetwork() }),
        }),
      ]);
    expect(await attempt(limited(numbers))).toEqual(["wrong-credentials"]);
    expect(await attempt(limited(numbers))).toEqual(["too-many-attempts"]);
  });

  test("name neither emails nor networks", async () => {
    const identity = limited();
    await outcomes([
      identity.signIn.withPassword({
        email: "findme@example.org",
        password: "wrong password",
        client: client({ ip: "203.0.113.99" }),
      }),
    ]);
    const rows = await db.query<{ key: string }>(sql`select key from rate_limits`);
    expect(rows.length).toBeGreaterThan(2);
    for (const { key } of rows) expect(key).toMatch(/^[a-z-]+:[\w-]{43}$/);
  });

  test("are not stored where limits are off", async () => {
    await db.query(sql`delete from rate_limits`);
    const identity = testIdentity(db, { rateLimits: false });
    const from = client({ ip: newNetwork() });
    const { viewer } = await identity.join({ client: from });
    const tries = Array.from({ length: 12 }, () =>
      identity.signIn.withPassword({
        email: viewer.email,
        password: "wrong password",
        client: from,
      }),
    );
    expect(tally(await outcomes(tries))).toEqual({ "wrong-credentials": 12 });
    expect(await db.query(sql`select * from rate_limits`)).toEqual([]);
  });
});
