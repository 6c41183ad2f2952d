import { sendLoad } from "../load.ts";
import type { Member } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import { median, type Figure } from "../table.ts";

const rounds = 5;
const documents = 300;
const atOnce = { few: 4, many: 64 };

/**
 * The home page as browsers ask for it, compressed, four and sixty-four at once: the cost of one must not
 * depend on how many are made together. Each round measures both, so that other work on the machine affects
 * both.
 */
export async function documentsAtOnce(
  { cookie }: Member,
  postcard: MeasuredServer,
): Promise<Figure> {
  const headers = {
    cookie,
    "accept-encoding": "gzip, deflate, br, zstd",
    "sec-fetch-dest": "document",
  };
  const ask = async (connections: number) => {
    const before = await postcard.usage();
    const load = { url: `${postcard.url}/`, headers, rate: 10_000, count: documents };
    const { answered, rate, bytes } = await sendLoad({ ...load, connections, patience: 60_000 });
    const { cpu } = await postcard.usage();
    return { cpu: (cpu - before.cpu) / answered / 1000, rate, bytes: bytes / answered };
  };
  await ask(atOnce.few);
  const few: Awaited<ReturnType<typeof ask>>[] = [];
  const many: typeof few = [];
  for (let round = 0; round < rounds; round += 1) {
    few.push(await ask(atOnce.few));
    many.push(await ask(atOnce.many));
  }
  const middle = (of: typeof few, key: "cpu" | "rate" | "bytes") =>
    median(of.map((round) => round[key]));
  const ratio = middle(many, "cpu") / middle(few, "cpu");
  return {
    what: `Document of the feed, compressed, ${atOnce.many} at once against ${atOnce.few}: CPU of the server`,
    value:
      `${ratio.toFixed(2)} × (${middle(many, "cpu").toFixed(2)} ms against ` +
      `${middle(few, "cpu").toFixed(2)} ms; ${Math.round(middle(many, "rate"))} a second against ` +
      `${Math.round(middle(few, "rate"))}, ${(middle(few, "bytes") / 1000).toFixed(1)} kB)`,
    goal: "≤ 1.15 ×",
    met: ratio <= 1.15,
  };
}
