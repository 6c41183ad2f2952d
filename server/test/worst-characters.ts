import { cpuUsage } from "node:process";
import { cpuRatio } from "#server/test/cpu-ratio.ts";

/** What expressions, parsers and Unicode's rules have most work with. */
export const characters = [
  ..."<\"'`&@/#:;=.,-_ \t\n\r0",
  "\u0301\u0323",
  "\u200d",
  "a.",
  "@a",
  "#a",
  " a",
  "https://",
  "👩\u200d",
];

/** A few at once find what takes the square of a text as well as one. */
const groups = Array.from({ length: 5 }, (_group, at) =>
  characters.filter((_letter, index) => index % 5 === at),
);

/** How many times the processor time of harmless letters the worst may take. */
const most = 3;

/** A request in which texts are what `text` makes of their length, UTF-16 code units. */
export type Send = (text: (length: number) => string) => () => Promise<unknown>;

const harmless = (length: number) => "a".repeat(length);
const worst = (of: readonly string[]) => (length: number) =>
  of.map((unit) => unit.repeat(length / of.length / unit.length)).join("");

/**
 * Which letters cost more than three times as many letters a. What looks dear is measured again, and again: the
 * machine has noise of its own.
 */
export async function findCostliest(
  name: string,
  send: Send,
  among: readonly string[][] = groups,
): Promise<string[]> {
  const a = send(harmless);
  const usual = await usually(a);
  const dear: string[] = [];
  for (const group of among) {
    const hostile = send(worst(group));
    if ((await processorMicroseconds(hostile)) < most * usual) continue;
    const measure = async () => cpuRatio({ hostile, harmless: a, rounds: 5 });
    const ratios = [await measure()];
    if (ratios.every((ratio) => ratio >= most)) ratios.push(await measure());
    if (ratios.some((ratio) => ratio < most)) continue;
    dear.push(`${name}, ${JSON.stringify(group)}: ${ratios.join(" and ")} times`);
  }
  return dear;
}

async function usually(run: () => Promise<unknown>): Promise<number> {
  await run();
  return Math.min(await processorMicroseconds(run), await processorMicroseconds(run));
}

async function processorMicroseconds(run: () => Promise<unknown>): Promise<number> {
  const before = cpuUsage();
  await run();
  const { user, system } = cpuUsage(before);
  return user + system;
}
