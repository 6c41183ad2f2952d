import { beforeAll, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { openMailbox } from "#server/test/mailbox.ts";
import { isRefusal } from "#shared/errors.ts";
import { afterFile } from "#server/test/after-file.ts";

// The time is not asserted: the same statements, and a password hashed either way, take the same.

let town: TestFeatures;
let known: string;
const statements: string[] = [];

const client: ClientInfo = { ip: "192.0.2.9", userAgent: "a browser", cookieHeader: "" };

beforeAll(async () => {
  const { db } = await freshDatabase((text) => statements.push(text));
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  // With the limits on: they count for an unknown address as for a known one.
  town = testFeatures(db, { smtpUrl: mailbox.url, rateLimits: true });
  const ada = await town.member();
  await town.jobs.runDue();
  await town.db.query(sql`update accounts set email_verified = true where id = ${ada.id}`);
  known = ada.email;
});

/** Queries of background jobs, which run at any time. */
const isHousekeeping = (text: string) =>
  text.includes("pgboss.") && !text.includes("INSERT INTO pgboss.job");

/** Everything that could distinguish two answers, except the time. */
async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  statements.length = 0;
  const answer = await work().then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      const { code, status, message, fields, retryAfter } = error;
      return { code, status, message, fields, wait: retryAfter !== undefined };
    },
  );
  const own = statements.filter((text) => !isHousekeeping(text));
  return JSON.stringify({ answer, statements: own });
}

/** Sends requests with a known and an unknown address in turn, each from a network of its own. */
async function outcomes(
  tries: number,
  ask: (email: string, client: ClientInfo) => Promise<unknown>,
): Promise<{ ofKnown: Set<string>; ofUnknown: Set<string> }> {
  const ofKnown = new Set<string>();
  const ofUnknown = new Set<string>();
  // what a process does once, such as making its queues, is done
  await ask("warm@example.org", client).catch(() => undefined);
  for (let number = 0; number < tries; number += 1) {
    const from = { ...client, ip: `10.${number % 250}.${Math.floor(number / 250)}.7` };
    const unknown = "f00dbabe0123@example.org";
    ofKnown.add(await outcomeOf(() => ask(known, from)));
    ofUnknown.add(await outcomeOf(() => ask(unknown, from)));
  }
  return { ofKnown, ofUnknown };
}

test("200 requests for a new password show nobody whether an address has an account", async () => {
  const { ofKnown, ofUnknown } = await outcomes(200, (email, from) =>
    town.verification.requestReset({ email, client: from }),
  );
  expect(ofKnown).toEqual(ofUnknown);
  // asked and, after five, asked to wait
  expect(ofKnown.size).toBe(2);
});

test("200 requests for a link to sign in show nobody whether an address has an account", async () => {
  await town.db.query(sql`delete from rate_limits`);
  const { ofKnown, ofUnknown } = await outcomes(200, (email, from) =>
    town.verification.requestSignInLink({ email, client: from }),
  );
  expect(ofKnown).toEqual(ofUnknown);
  expect(ofKnown.size).toBe(2);
});

test("200 wrong passwords show nobody whether an address has an account", async () => {
  await town.db.query(sql`delete from rate_limits`);
  const { ofKnown, ofUnknown } = await outcomes(200, (email, from) =>
    town.identity.signIn.withPassword({ email, password: "not this one", client: from }),
  );
  // One statement finds the account and its password; without an account a password is compared
  // too.
  expect(ofKnown).toEqual(ofUnknown);
  // wrong and, after ten, asked to wait
  expect(ofKnown.size).toBe(2);
});
