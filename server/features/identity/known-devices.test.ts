import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { limitNumbers, type LimitNumbers } from "#server/features/limits/limits.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { isRefusal } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

const devices = 12;
let db: Database;
const statements: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => statements.push(text)));
});

function limited(numbers: Partial<LimitNumbers> = {}) {
  return testIdentity(db, { rateLimits: true, limitNumbers: { ...limitNumbers, ...numbers } });
}

type Town = ReturnType<typeof limited>;

/** A refusal's code, or "in". */
async function outcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "in";
  } catch (error) {
    return isRefusal(error) ? error.code : String(error);
  }
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

/** The Cookie header of a browser on which the account signed in, without anything else. */
async function knownDevice(town: Town, { id }: Viewer): Promise<string> {
  const { cookies } = await town.signIn.complete(id, client(), "passkey");
  return asCookieHeader(cookies.filter((cookie) => cookie.startsWith("postcard.device=")));
}

async function knownDevices(town: Town, viewer: Viewer): Promise<string[]> {
  const cookies = [];
  for (let made = 0; made < devices; made += 1) cookies.push(await knownDevice(town, viewer));
  expect(new Set(cookies).size).toBe(devices);
  return cookies;
}

const signIn = (town: Town, { email }: Viewer, cookieHeader: string, password = goodPassword) =>
  outcome(town.signIn.withPassword({ email, password, client: client({ cookieHeader }) }));

async function turnOnSecondStep(town: Town, viewer: Viewer): Promise<string> {
  const { uri } = await town.twoFactor.begin(viewer, { password: goodPassword });
  const key = new URL(uri).searchParams.get("secret") ?? "";
  await town.twoFactor.turnOn(viewer, await appCode(key));
  return key;
}

describe("all devices that an account knows", () => {
  test("share ten wrong passwords in a quarter of an hour, however many they are", async () => {
    const town = limited();
    const { viewer } = await town.join();
    const known = await knownDevices(town, viewer);
    const outcomes = await Promise.all(
      Array.from({ length: 10 * devices }, (_, n) =>
        signIn(town, viewer, known[n % devices] ?? "", "wrong password"),
      ),
    );
    expect(tally(outcomes)).toEqual({
      "wrong-credentials": 10,
      "too-many-attempts": 10 * devices - 10,
    });
    const another = await knownDevice(town, viewer);
    expect(await signIn(town, viewer, another), "a cookie more is no try more").toBe(
      "too-many-attempts",
    );
    expect(await signIn(town, viewer, ""), "strangers' devices have their own").toBe("in");
  });

  test("share ten wrong codes in an hour", async () => {
    const town = limited();
    const { viewer } = await town.join();
    await turnOnSecondStep(town, viewer);
    const known = await knownDevices(town, viewer);
    const outcomes = [];
    for (let tried = 0; tried < 10 * devices; tried += 1) {
      const cookieHeader = known[tried % devices] ?? "";
      const entered = await town.signIn.complete(viewer.id, client({ cookieHeader }), "link");
      const from = client({ cookieHeader: `${cookieHeader}; ${asCookieHeader(entered.cookies)}` });
      outcomes.push(await outcome(town.signIn.enterCode({ code: "000000", client: from })));
    }
    expect(tally(outcomes)).toEqual({ "wrong-code": 10, "too-many-attempts": 10 * devices - 10 });
  });

  test("are not locked out by strangers, who have ten more", async () => {
    const town = limited();
    const { viewer } = await town.join();
    const known = await knownDevice(town, viewer);
    const outcomes = [];
    for (let tried = 0; tried < 12; tried += 1) {
      outcomes.push(await signIn(town, viewer, "", "wrong password"));
    }
    expect(tally(outcomes)).toEqual({ "wrong-credentials": 10, "too-many-attempts": 2 });
    expect(await signIn(town, viewer, known)).toBe("in");
  });
});

describe("a device that an account knows is unknown again", () => {
  const newPassword = "a stamp for every letter";
  type Change = (town: Town, viewer: Viewer) => Promise<unknown>;

  test.each<[string, Change, string]>([
    [
      "once the password was changed",
      (town, viewer) =>
        town.password.change(viewer, { currentPassword: goodPassword, password: newPassword }),
      newPassword,
    ],
    [
      "once the account was signed out everywhere else",
      (town, viewer) => town.sessions.endAll(viewer.id, { except: viewer.sessionId }),
      goodPassword,
    ],
    ["once the second step was turned on", turnOnSecondStep, goodPassword],
  ])("%s, until somebody signs in on it again", async (_, change, password) => {
    const town = limited({ "account-failures": { points: 1, seconds: 60 } });
    const { viewer } = await town.join();
    const known = await knownDevice(town, viewer);
    expect(await signIn(town, viewer, "", "wrong password")).toBe("wrong-credentials");
    expect(await signIn(town, viewer, ""), "strangers have to wait").toBe("too-many-attempts");
    expect(await signIn(town, viewer, known)).toBe("in");
    await change(town, viewer);
    expect(await signIn(town, viewer, known, password)).toBe("too-many-attempts");
    expect(await signIn(town, viewer, await knownDevice(town, viewer), password)).toBe("in");
  });

  test("once the second step was turned off, or its recovery codes were replaced", async () => {
    const town = limited({ "account-failures": { points: 1, seconds: 60 } });
    const { viewer } = await town.join();
    await turnOnSecondStep(town, viewer);
    expect(await signIn(town, viewer, "", "wrong password")).toBe("wrong-credentials");
    const proof = { password: goodPassword };
    for (const change of [town.twoFactor.renewCodes, town.twoFactor.turnOff]) {
      const known = await knownDevice(town, viewer);
      expect(await signIn(town, viewer, known)).toBe("in");
      await change(viewer, proof);
      expect(await signIn(town, viewer, known)).toBe("too-many-attempts");
    }
  });
});

test("a device's cookie shows nobody whether an address has an account", async () => {
  const town = limited();
  const { viewer } = await town.join();
  const cookieHeader = await knownDevice(town, viewer);
  const { viewer: other } = await town.join();
  const asked = async (email: string) => {
    statements.length = 0;
    const from = client({ cookieHeader });
    await outcome(town.signIn.withPassword({ email, password: "wrong password", client: from }));
    return [...statements];
  };
  await asked("warm@example.org");
  const ofKnown = await asked(other.email);
  expect(ofKnown.length).toBeGreaterThan(2);
  expect(await asked("nobody-here@example.org")).toEqual(ofKnown);
});
