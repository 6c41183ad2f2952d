import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "#server/platform/db/sql.ts";
import { openMailbox } from "#server/test/mailbox.ts";
import type { Installation } from "../installation.ts";
import { signUpAs, type Product } from "../product.ts";
import { rankSum } from "../rank-sum.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { median, type Figure } from "../table.ts";

const tries = 200;
const warmUps = 10;
/** accounts that are used in turn; one network may make ten an hour */
const accounts = 8;
/** Emails of an attempt are written and sent after its answer; milliseconds until the next attempt. */
const pause = 30;
/** Chance alone goes beyond this once in a hundred times (see rankSum). */
const chance = 2.6;

const forms = [
  { what: "a wrong password", path: "/signIn", status: 401 },
  { what: "asking for a new password", path: "/signIn/forgot", status: 200 },
  { what: "asking for a link to sign in", path: "/signIn/link", status: 200 },
];

type Form = (typeof forms)[number];
type Times = { known: number[]; unknown: number[] };
/** Of the answer itself, and of a page requested right after it. */
type Measured = { answers: Times; next: Times };

/**
 * How long the forms that take anybody's email need for those with an account and for those without: over
 * HTTP, including the page, one attempt after another, each pair in random order. And whether the next answer
 * reveals it: emails are written after the first.
 */
export async function timingLeaks(installation: Installation, product: Product): Promise<Figure[]> {
  const known = await knownAddresses(product);
  const mailbox = await openMailbox({
    // not read: that would take time for known emails only
    onData(stream, _session, done) {
      stream.on("end", () => done()).resume();
    },
  });
  const server = await startPostcard(installation, { SMTP_URL: mailbox.url });
  try {
    const figures: Figure[] = [];
    for (const form of forms) {
      const { answers, next } = await timesOf(new URL(form.path, server.url), form, known);
      figures.push(figureOf(`to answer ${form.what}`, answers));
      figures.push(figureOf(`of the next page after ${form.what}`, next));
    }
    return figures;
  } finally {
    await server.stop();
    await mailbox.close();
  }
}

/** For accounts with a password and a confirmed email, like most. */
async function knownAddresses(product: Product): Promise<string[]> {
  const emails = Array.from({ length: accounts }, anAddress);
  for (const email of emails) await signUpAs(product, email);
  await product.db.query(sql`
    update accounts set email_verified = true where email = any(${emails}::text[])
  `);
  return emails;
}

/** All of one length. */
function anAddress(): string {
  return `${randomBytes(8).toString("hex")}@example.org`;
}

async function timesOf(url: URL, { status }: Form, known: readonly string[]): Promise<Measured> {
  const answers: Times = { known: [], unknown: [] };
  const next: Times = { known: [], unknown: [] };
  const sizes = new Set<number>();

  async function ask(email: string): Promise<{ answer: number; next: number }> {
    await sleep(pause);
    const body = new URLSearchParams({ email, password: "not this one" });
    const started = performance.now();
    const answer = await fetch(url, { method: "POST", body });
    const { byteLength } = await answer.arrayBuffer();
    const answered = performance.now();
    await (await fetch(url)).arrayBuffer();
    if (answer.status !== status) throw new Error(`${url.pathname} answered ${answer.status}.`);
    sizes.add(byteLength);
    return { answer: answered - started, next: performance.now() - answered };
  }

  for (let number = -warmUps; number < tries; number += 1) {
    const turn = [
      { kind: "known", email: known.at(number % accounts) ?? "" },
      { kind: "unknown", email: anAddress() },
    ] as const;
    for (const { kind, email } of Math.random() < 0.5 ? turn : turn.toReversed()) {
      const took = await ask(email);
      if (number < 0) continue;
      answers[kind].push(took.answer);
      next[kind].push(took.next);
    }
  }
  if (sizes.size !== 1) throw new Error(`${url.pathname} answered in pages of different sizes.`);
  return { answers, next };
}

function figureOf(what: string, { known, unknown }: Times): Figure {
  const [ofKnown, ofUnknown] = [median(known), median(unknown)];
  const z = rankSum(known, unknown);
  return {
    what: `Time ${what}, account known / unknown, ${tries} tries each`,
    value:
      `${(ofKnown / ofUnknown).toFixed(3)} × (${ofKnown.toFixed(1)} ms against ` +
      `${ofUnknown.toFixed(1)} ms), z = ${z.toFixed(1)}`,
    goal: `z within ±${chance}`,
    met: Math.abs(z) <= chance,
  };
}
