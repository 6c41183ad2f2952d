import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { logFailure, toRefusal } from "#server/http/errors.ts";
import { checkOutages, recordOutage, watchOutages } from "#server/platform/outages.ts";
import { refuse } from "#shared/errors.ts";

type Line = { level: number; msg: string; err?: { stack?: string } };

let lines: Line[] = [];
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
let answers = false;
const isOver = async () => answers;
let stop = watchOutages({ log, isOver });
stop();

/** A check this many milliseconds from now. */
const lookAfter = (ms: number) => checkOutages({ log, isOver }, () => Date.now() + ms);

afterEach(async () => {
  answers = true;
  await lookAfter(0);
  await lookAfter(60_000);
  stop();
  lines = [];
  answers = false;
});

const away = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const hostAway = () => refuse("picture-host-away", { cause: new Error("503 of the bucket") });
const full = () => Object.assign(new Error("no space left"), { code: "ENOSPC" });

test.each([
  [
    "the database away",
    away,
    "the database is away",
    "the database is back after 42 s, 4,700 requests answered 503",
  ],
  [
    "the store away",
    hostAway,
    "the store of pictures is away",
    "the store of pictures is back after 42 s, 4,700 requests answered 503",
  ],
  [
    "a full disk",
    full,
    "the disk is full: nothing is kept",
    "the disk has room again after 42 s, 4,700 requests answered 507",
  ],
])("%s is a line with a stack, and a line when it is over", async (_what, make, begins, ends) => {
  stop = watchOutages({ log, isOver });
  const error = make();
  for (let request = 0; request < 4700; request += 1) logFailure(log, error, toRefusal(error));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 50, msg: begins, err: { stack: expect.any(String) } });
  await lookAfter(10_000);
  expect(lines, "nobody answers yet").toHaveLength(1);
  answers = true;
  await lookAfter(42_000);
  expect(lines, "it may come for a moment only").toHaveLength(1);
  await lookAfter(48_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ level: 40, msg: ends });
  // The next one is a separate outage.
  answers = false;
  logFailure(log, error, toRefusal(error));
  expect(lines).toHaveLength(3);
});

test("something that comes back for a moment is one outage", async () => {
  stop = watchOutages({ log, isOver });
  const error = away();
  logFailure(log, error, toRefusal(error));
  answers = true;
  await lookAfter(1000);
  answers = false;
  await lookAfter(2000);
  answers = true;
  await lookAfter(6500);
  expect(lines).toHaveLength(1);
  await lookAfter(12_000);
  expect(lines).toHaveLength(2);
});

test("a deliberate refusal is no outage, but counts during one; every other failure is logged with its own stack", async () => {
  stop = watchOutages({ log, isOver });
  const queue = refuse("busy", { retryAfter: 2 });
  logFailure(log, queue, queue);
  const full = refuse("zips-running", { retryAfter: 60 });
  logFailure(log, full, full);
  expect(lines).toEqual([]);
  const slow = Object.assign(new Error("canceling statement"), { code: "57014" });
  logFailure(log, slow, toRefusal(slow));
  logFailure(log, queue, queue);
  answers = true;
  await lookAfter(1000);
  await lookAfter(7000);
  expect(lines.map(({ msg }) => msg)).toEqual([
    "requests wait too long",
    "requests are answered in time again after 1 s, 2 requests answered 503",
  ]);
  const broken = new TypeError("undefined is not a function");
  for (let request = 0; request < 3; request += 1) logFailure(log, broken, toRefusal(broken));
  expect(lines).toHaveLength(5);
});

test("without a check whether it is over it is logged once a minute", () => {
  const met = { log, code: "disk-read-only", status: 503, error: full() };
  for (let second = 0; second < 10; second += 1) recordOutage({ ...met, now: second * 20_000 });
  expect(lines).toHaveLength(1);
  recordOutage({ ...met, now: 400_000 });
  expect(lines).toHaveLength(2);
});
