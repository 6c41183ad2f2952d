import { below, type Random } from "./random.ts";

const words = (
  "morning light harbour bread river quiet window market garden rain bicycle coffee old street " +
  "summer hills friends table story blue winter market train evening first snow bridge kitchen " +
  "orchard island letter forest sister lake festival small boat road under the and with for our"
).split(" ");
const firstNames = "Ada Bao Chidi Dora Émile Farah Goran Hana Inês Jomo Kaya Lars".split(" ");
const secondNames = "Abbas Brandt Costa Diaz Eze Fischer Gupta Haddad Ito Jansen".split(" ");

/** First and second name; the number makes it unique. */
export function accountName(random: Random, number: number): { first: string; second: string } {
  return { first: pick(random, firstNames), second: `${pick(random, secondNames)} ${number}` };
}

function pick(random: Random, list: readonly string[]): string {
  return list[below(random, list.length)] ?? "";
}

/** Between `shortest` and `longest` words; short ones are more frequent. */
export function sentence(random: Random, shortest: number, longest: number): string {
  const length = shortest + Math.floor(random() ** 2 * (longest - shortest + 1));
  return Array.from({ length }, () => pick(random, words)).join(" ");
}
