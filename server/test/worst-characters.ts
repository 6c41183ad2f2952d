import { cpuUsage } from "node:process";
import { cpuRatio } from "#server/test/cpu-ratio.ts";

/** Characters that cost regular expressions, parsers and Unicode's rules most. */
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

/** Some characters at once find quadratic cost as well as one does. */
const groups = Array.from({ length: 5 }, (_group, at) =>
  characters.filter((_letter, index) => index % 5 === at),
);

/** How many times the processor time of harmless characters the worst may take. */
const most = 3;

/** A request whose texts are made by `text` from their length, in UTF-16 code units. */
export type Send = (text: (length: number) => string) => () => Promise<unknown>;

const harmless = (length: number) => "a".repeat(length);
const worst = (of: readonly string[]) => (length: number) =>
  of.map((unit) => unit.repeat(length / of.length / unit.length)).join("");

/**
 * Which characters cost more than three times as much as the letter a. What looks expensive is measured twice
 * more, because measurements vary.
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
