import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { decodeHint, encodeHint, type Hint } from "#server/features/change-hint.ts";
import { createRateLimitCounts } from "#server/http/rate-limit-counts.ts";

const most = 1200;
const network = "2001:db8::";

/** Hints that reach every process as text, and a record of what was sent. */
function bus() {
  const listeners = new Set<(hints: readonly Hint[]) => void>();
  const sent: string[] = [];
  const publish = (hint: Hint) => {
    const text = encodeHint(hint);
    sent.push(text);
    for (const listener of listeners) listener([decodeHint(text) as Hint]);
  };
  const listen = (listener: (hints: readonly Hint[]) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { sent, hints: { publish, listen } };
}

function processesOn({ hints }: ReturnType<typeof bus>, processes: number) {
  return Array.from({ length: processes }, () =>
    createRateLimitCounts({ limit: "requests", most, processes, hints }),
  );
}

const aSecond = () => vi.advanceTimersByTimeAsync(1000);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("nothing is shared about callers who ask as often as people do", async () => {
  const line = bus();
  const [one, other] = processesOn(line, 2);
  for (let times = 0; times < 40; times += 1) {
    one?.add(`192.0.2.${times}`);
    for (const each of [one, other]) each?.add(network);
  }
  await aSecond();
  expect(line.sent).toEqual([]);
  expect(one?.get(network).count).toBe(40);
});

test.each([2, 8, 64])("a flood is let through %i processes as through one", async (processes) => {
  const line = bus();
  const all = processesOn(line, processes);
  // the rest of the minute, at five times what is allowed
  const eachSecond = Math.ceil((5 * most) / 60 / processes);
  let allowed = 0;
  for (let second = 0; second < 59; second += 1) {
    for (const process of all) {
      for (let times = 0; times < eachSecond; times += 1) {
        if (process.add(network).count <= most) allowed += 1;
      }
    }
    await aSecond();
  }
  // what comes within the second before the others know
  expect(allowed).toBeGreaterThanOrEqual(most);
  expect(allowed).toBeLessThanOrEqual(most + 3 * eachSecond * processes);
});

test("windows that began apart are aligned, so that all start again together", async () => {
  const [one, other] = processesOn(bus(), 2);
  one?.add(network, 600);
  await vi.advanceTimersByTimeAsync(20_000);
  other?.add(network, 700);
  await aSecond();
  await aSecond();
  expect([one?.get(network).count, other?.get(network).count]).toEqual([1300, 1300]);
  expect(other?.get(network).ttl).toBe(one?.get(network).ttl);
  await vi.advanceTimersByTimeAsync(38_000);
  expect([one?.add(network).count, other?.add(network).count]).toEqual([1, 1]);
});

test("one limit knows nothing of another", async () => {
  const { hints } = bus();
  const of = (limit: string) => createRateLimitCounts({ limit, most, processes: 1, hints });
  const [requests, documents] = [of("requests"), of("documents")];
  requests.add(network, 900);
  await aSecond();
  expect(documents.get(network).count).toBe(0);
});

test("the least recent caller is forgotten when there are too many", () => {
  const [counts] = processesOn(bus(), 1);
  counts?.add("the first", 5);
  counts?.add("the second", 5);
  for (let caller = 0; caller < 4998; caller += 1) counts?.add(`caller ${caller}`);
  counts?.add("the first");
  counts?.add("one more");
  expect(counts?.get("the first").count).toBe(6);
  expect(counts?.get("the second").count).toBe(0);
});
