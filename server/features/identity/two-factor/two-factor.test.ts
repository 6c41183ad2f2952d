import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { limitNumbers, type LimitNumbers } from "#server/features/limits/limits.ts";
import { freshDatabase } from "#server/test/database.ts";
import { appCode, secretOfKey } from "#server/test/authenticator-app.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { isRefusal } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

const stepMs = 30_000;
const proof = { password: goodPassword };
let clock = Date.parse("2026-11-21T12:00:00Z");
let db: Database;
let identity: ReturnType<typeof testIdentity>;
let viewer: Viewer;
/** what the app on the phone knows */
let key: string;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  identity = testIdentity(db, { now: () => clock });
});

beforeEach(async () => {
  ({ viewer } = await identity.join());
});

/** The code that the app shows, `steps` of 30 seconds from now. */
function code(steps = 0): Promise<string> {
  return appCode(key, steps, clock);
}

function nextStep(steps = 1): void {
  clock += steps * stepMs;
}

async function begin(): Promise<void> {
  const { uri } = await identity.twoFactor.begin(viewer, proof);
  key = new URL(uri).searchParams.get("secret") ?? "";
}

/** The recovery codes. */
async function turnOn(): Promise<string[]> {
  await begin();
  const codes = await identity.twoFactor.turnOn(viewer, await code());
  nextStep();
  return codes;
}

/** The Cookie header of a browser that gave the right password. */
async function passwordGiven(on = identity): Promise<string> {
  const entered = await on.signIn.withPassword({ email: viewer.email, ...proof, client: client() });
  expect(entered.viewer).toBeNull();
  return asCookieHeader(entered.cookies);
}

function enterCode(typed: string, cookieHeader: string, on = identity) {
  return on.signIn.enterCode({ code: typed, client: client({ cookieHeader }) });
}

/** A refusal's code, or "in". */
async function outcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "in";
  } catch (error) {
    return isRefusal(error) ? error.code : String(error);
  }
}

async function sessionCount(): Promise<number> {
  const rows = await db.query<{ n: number }>(sql`
    select count(*)::int as n from sessions where account_id = ${viewer.id}
  `);
  return rows[0]?.n ?? -1;
}

describe("setting the second step up", () => {
  test("asks for the password, and works once a code of the app was given", async () => {
    await expect(identity.twoFactor.begin(viewer, { password: "not mine" })).rejects.toMatchObject({
      code: "wrong-password",
    });
    await expect(identity.twoFactor.turnOn(viewer, "123456")).rejects.toMatchObject({
      code: "two-factor-not-begun",
    });
    await begin();
    await expect(identity.twoFactor.turnOn(viewer, "000000")).rejects.toMatchObject({
      code: "wrong-code",
      fields: { code: expect.any(String) as string },
    });
    expect((await identity.twoFactor.status(viewer)).on).toBe(false);
    await expect(
      identity.signIn.withPassword({ email: viewer.email, ...proof, client: client() }),
    ).resolves.toMatchObject({ viewer: { id: viewer.id } });
    const shown = await code();
    const codes = await identity.twoFactor.turnOn(viewer, `${shown.slice(0, 3)} ${shown.slice(3)}`);
    expect(new Set(codes).size).toBe(10);
    for (const one of codes) expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await identity.twoFactor.status(viewer)).toMatchObject({
      on: true,
      since: expect.any(Number) as number,
      recoveryCodesLeft: 10,
    });
  });

  test("starts again as often as one likes, but not over one that is on", async () => {
    await begin();
    const before = await code();
    await begin();
    expect(await outcome(identity.twoFactor.turnOn(viewer, before))).toBe("wrong-code");
    await identity.twoFactor.turnOn(viewer, await code());
    expect(await outcome(begin())).toBe("two-factor-on");
    expect(await outcome(identity.twoFactor.turnOn(viewer, await code(1)))).toBe(
      "two-factor-not-begun",
    );
  });

  test("stores neither the secret nor a recovery code readably", async () => {
    const codes = await turnOn();
    const rows = await db.query<{ kept: string }>(sql`
      select t.secret || ' ' || string_agg(r.hash, ' ') as kept
      from two_factors t join recovery_codes r on r.account_id = t.account_id
      where t.account_id = ${viewer.id} group by t.secret
    `);
    const kept = rows[0]?.kept ?? "";
    expect(kept.length).toBeGreaterThan(400);
    for (const readable of [
      secretOfKey(key),
      ...codes,
      ...codes.map((one) => one.replace("-", "")),
    ]) {
      expect(kept).not.toContain(readable);
    }
  });
});

describe("signing in with the second step", () => {
  test("begins no session before the code, and then one that replaces the browser's", async () => {
    await turnOn();
    const sessions = await sessionCount();
    const cookie = await passwordGiven();
    expect(await sessionCount()).toBe(sessions);
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
    expect(await identity.signIn.owesCode(client({ cookieHeader: cookie }))).toBe(true);
    const entered = await enterCode(await code(), cookie);
    expect(entered.viewer?.id).toBe(viewer.id);
    const after = asCookieHeader(entered.cookies);
    expect(await identity.sessions.viewerOf({ cookie: after })).toEqual(entered.viewer);
    expect(entered.cookies.at(-1)).toContain("postcard.pending=; Max-Age=0");
    expect(await identity.signIn.owesCode(client({ cookieHeader: cookie }))).toBe(false);
  });

  test("is asked for after a link and an identity provider, not after a passkey", async () => {
    await turnOn();
    for (const method of ["password", "link", "provider"] as const) {
      const entered = await identity.signIn.complete(viewer.id, client(), method);
      expect(entered, method).toMatchObject({ viewer: null, secondFactor: true });
    }
    const entered = await identity.signIn.complete(viewer.id, client(), "passkey");
    expect(entered.viewer?.id).toBe(viewer.id);
  });

  test("is not shown to a wrong password", async () => {
    await turnOn();
    const { viewer: plain } = await identity.join();
    const refusals = [];
    for (const { email } of [viewer, plain]) {
      const attempt = identity.signIn.withPassword({
        email,
        password: "wrong one",
        client: client(),
      });
      refusals.push(await attempt.catch((error: unknown) => ({ ...(error as object) })));
    }
    expect(refusals[0]).toEqual(refusals[1]);
  });

  test("takes the code of one step before and after, and no other", async () => {
    await turnOn();
    for (const [steps, result] of [
      [-2, "wrong-code"],
      [2, "wrong-code"],
      [-1, "in"],
      [1, "in"],
    ] as const) {
      nextStep(5);
      expect(await outcome(enterCode(await code(steps), await passwordGiven())), `${steps}`).toBe(
        result,
      );
    }
  });

  test("accepts no code twice, and none that is older than the last one accepted", async () => {
    await turnOn();
    const [older, present] = [await code(-1), await code()];
    const [one, two, three] = [await passwordGiven(), await passwordGiven(), await passwordGiven()];
    expect(await outcome(enterCode(present, one))).toBe("in");
    expect(await outcome(enterCode(present, two))).toBe("wrong-code");
    expect(await outcome(enterCode(older, three))).toBe("wrong-code");
    nextStep();
    expect(await outcome(enterCode(present, two))).toBe("wrong-code");
    expect(await outcome(enterCode(await code(), two))).toBe("in");
  });

  test("lets one in of twenty who send the same code at once", async () => {
    await turnOn();
    const cookies = await Promise.all(Array.from({ length: 20 }, () => passwordGiven()));
    const present = await code();
    const outcomes = await Promise.all(
      cookies.map((cookie) => outcome(enterCode(present, cookie))),
    );
    expect(outcomes.toSorted()).toEqual(["in", ...Array.from({ length: 19 }, () => "wrong-code")]);
  });

  test("does not take the code that turned it on", async () => {
    await begin();
    const shown = await code();
    await identity.twoFactor.turnOn(viewer, shown);
    expect(await outcome(enterCode(shown, await passwordGiven()))).toBe("wrong-code");
  });

  test("needs a sign-in that began in this browser and is not over", async () => {
    await turnOn();
    const cookie = await passwordGiven();
    for (const other of ["", "postcard.pending=", "postcard.pending=abc", cookie.slice(0, -1)]) {
      expect(await outcome(enterCode(await code(), other))).toBe("sign-in-expired");
    }
    expect(await outcome(enterCode("", cookie))).toBe("input-invalid");
    await db.query(
      sql`update pending_sign_ins set expires_at = now() where account_id = ${viewer.id}`,
    );
    expect(await outcome(enterCode(await code(), cookie))).toBe("sign-in-expired");
  });

  test("ends with the sessions: a change of password ends sign-ins in progress", async () => {
    await turnOn();
    const cookie = await passwordGiven();
    await identity.password.change(viewer, {
      currentPassword: goodPassword,
      password: "a stamp for every letter",
    });
    expect(await outcome(enterCode(await code(), cookie))).toBe("sign-in-expired");
  });

  test("is no way into a suspended account", async () => {
    await turnOn();
    const cookie = await passwordGiven();
    await db.query(sql`update accounts set suspended_at = now() where id = ${viewer.id}`);
    expect(await enterCode(await code(), cookie)).toMatchObject({ viewer: null, suspended: true });
    // the reason as well needs both
    expect(await identity.signIn.complete(viewer.id, client(), "link")).toMatchObject({
      viewer: null,
      secondFactor: true,
    });
  });
});

function limited(numbers: Partial<LimitNumbers> = {}) {
  return testIdentity(db, {
    rateLimits: true,
    limitNumbers: { ...limitNumbers, ...numbers },
    now: () => clock,
  });
}

describe("wrong codes", () => {
  test("are ten in an hour, however often the password is given; then the right one waits too", async () => {
    const strict = limited();
    await turnOn();
    for (let tried = 0; tried < 10; tried += 1) {
      const cookie = await passwordGiven(strict);
      expect(await outcome(enterCode("000000", cookie, strict))).toBe("wrong-code");
    }
    const refusal = await enterCode(await code(), await passwordGiven(strict), strict).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ code: "too-many-attempts" });
    const { retryAfter = 0 } = refusal as { retryAfter?: number };
    expect(retryAfter).toBeGreaterThan(59 * 60);
  });

  test("of others do not block a device that the account knows", async () => {
    const strict = limited({ "code-failures": { points: 1, seconds: 60 } });
    await turnOn();
    const known = asCookieHeader(
      (await strict.signIn.complete(viewer.id, client(), "passkey")).cookies,
    );
    expect(await outcome(enterCode("000000", await passwordGiven(strict), strict))).toBe(
      "wrong-code",
    );
    const [unknown, own] = [await passwordGiven(strict), await passwordGiven(strict)];
    expect(await outcome(enterCode(await code(), unknown, strict))).toBe("too-many-attempts");
    expect(await outcome(enterCode(await code(), `${own}; ${known}`, strict))).toBe("in");
  });

  test("are not counted when they were right", async () => {
    const strict = limited({ "code-failures": { points: 1, seconds: 60 } });
    await turnOn();
    for (let time = 0; time < 3; time += 1) {
      expect(await outcome(enterCode(await code(), await passwordGiven(strict), strict))).toBe(
        "in",
      );
      nextStep();
    }
  });
});

describe("recovery codes", () => {
  test("work once each, as they were typed, and only for their account", async () => {
    const codes = await turnOn();
    const [first = "", second = ""] = codes;
    const typed = ` ${first.toLowerCase().replace("-", " ")} `;
    expect(await outcome(enterCode(typed, await passwordGiven()))).toBe("in");
    expect(await outcome(enterCode(first, await passwordGiven()))).toBe("wrong-code");
    expect((await identity.twoFactor.status(viewer)).recoveryCodesLeft).toBe(9);

    ({ viewer } = await identity.join());
    await turnOn();
    expect(await outcome(enterCode(second, await passwordGiven()))).toBe("wrong-code");
  });

  test("let one in of ten who send the same one at once", async () => {
    const [code = ""] = await turnOn();
    const cookies = await Promise.all(Array.from({ length: 10 }, () => passwordGiven()));
    const outcomes = await Promise.all(cookies.map((cookie) => outcome(enterCode(code, cookie))));
    expect(outcomes.filter((result) => result === "in")).toHaveLength(1);
  });

  test("are replaced all at once, for the password", async () => {
    const [old = ""] = await turnOn();
    expect(await outcome(identity.twoFactor.renewCodes(viewer, { password: "x" }))).toBe(
      "wrong-password",
    );
    const [fresh = ""] = await identity.twoFactor.renewCodes(viewer, proof);
    expect(await outcome(enterCode(old, await passwordGiven()))).toBe("wrong-code");
    expect(await outcome(enterCode(fresh, await passwordGiven()))).toBe("in");
  });

  test("are given to nobody without a second step", async () => {
    expect(await outcome(identity.twoFactor.renewCodes(viewer, proof))).toBe(
      "two-factor-not-begun",
    );
  });
});

describe("turning the second step off", () => {
  test("takes the password, then a sign-in needs no code", async () => {
    await turnOn();
    const waiting = await passwordGiven();
    expect(await outcome(identity.twoFactor.turnOff(viewer, { password: "x" }))).toBe(
      "wrong-password",
    );
    await identity.twoFactor.turnOff(viewer, proof);
    expect(await identity.twoFactor.status(viewer)).toEqual({
      on: false,
      since: null,
      recoveryCodesLeft: 0,
    });
    expect(await outcome(enterCode(await code(), waiting))).toBe("sign-in-expired");
    const entered = await identity.signIn.withPassword({
      email: viewer.email,
      ...proof,
      client: client(),
    });
    expect(entered.viewer?.id).toBe(viewer.id);
    await turnOn();
  });
});
