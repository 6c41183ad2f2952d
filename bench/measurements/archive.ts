import { randomBytes, randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import type { Installation } from "../installation.ts";
import { sendLoad } from "../load.ts";
import type { Member, Product } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { megabytes, type Figure } from "../table.ts";

const megabyte = 1024 * 1024;
/**
 * How long others may wait meanwhile, milliseconds, and how much memory it may take above the start, bytes.
 */
const goals = { p99: 200, memory: 300e6 };
const health = { rate: 50, count: 100 };

/**
 * The worst archives that we can think of, one after another, sent to a fresh server: how long everybody else
 * waits meanwhile, and how much memory they take.
 */
export async function archive(
  installation: Installation,
  { features }: Product,
  { viewer, cookie }: Member,
): Promise<Figure[]> {
  const server = await startPostcard(installation);
  const url = `${server.url}/health/live`;
  try {
    await sendLoad({ url, ...health });
    const idle = await sendLoad({ url, ...health });
    const { memory: before } = await server.usage();
    const figures: Figure[] = [];
    for (const [what, files] of Object.entries(worst)) {
      const zip = await zipOf(files());
      const started = performance.now();
      await bring(server.url, cookie, zip);
      let p99 = 0;
      for (;;) {
        p99 = Math.max(p99, (await sendLoad({ url, ...health })).p99);
        const latest = await features.imports.latest(viewer);
        if (latest?.state === "failed") break;
        if (latest?.state !== "waiting") throw new Error(`${what} was not refused.`);
      }
      const { peakMemory } = await server.usage();
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      const grown = peakMemory - before;
      figures.push({
        what: `An archive of ${what} (${size(zip.length)}): health of others, most memory above the start so far`,
        value: `p99 ${p99.toFixed(0)} ms (${idle.p99.toFixed(0)} before), ${megabytes(grown)}; within ${seconds} s`,
        goal: `≤ ${goals.p99} ms, ≤ ${megabytes(goals.memory)}`,
        met: p99 <= goals.p99 && grown <= goals.memory,
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

type Files = Iterable<[name: string, text: string | Buffer]>;

const numbered = (list: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${list}/${String(index + 1).padStart(4, "0")}.json`);

const manifest = (posts: string[], messages: string[] = []): [string, string] => [
  "postcard.json",
  JSON.stringify({
    format: "postcard-archive",
    version: 1,
    files: { profile: "profile.json", posts, messages },
  }),
];
const profile: [string, string] = ["profile.json", "{}"];

/** The most pages that fit into a given archive size, all with this text; the last one isn't a page. */
function pages(count: number, text: string): Files {
  const names = numbered("posts", count);
  const all = names.map((name): [string, string] => [name, text]);
  return [manifest([...names, "posts/9999.json"]), profile, ...all, ["posts/9999.json", "{}"]];
}

const tiny = "{},".repeat(240_000);

const worst: Record<string, () => Files> = {
  "one page named 30 times": () => [
    manifest(Array(30).fill("posts/0001.json")),
    profile,
    ["posts/0001.json", `{"posts":[],"x":[${"{},".repeat(5_000_000)}{}]}`],
  ],
  "pages of tiny values": () => pages(42, `{"posts":[],"x":[${tiny}{}]}`),
  "long texts in two bytes a character": () =>
    pages(2, `{"posts":[],"x":"${"\u0101".repeat(7 * megabyte)}"}`),
  "50,000 messages whose text is too long to be kept, and a broken one": () => {
    const names = numbered("messages", 50);
    return [
      manifest([], [...names, "messages/9999.json"]),
      profile,
      ...names.map(messages),
      broken,
    ];
  },
  "20,000 pictures that nobody names": () => [
    manifest(["posts/0001.json"]),
    profile,
    ...Array.from({ length: 20_000 }, (_, index): [string, string] => [
      `pictures/${index}-1.jpg`,
      "",
    ]),
  ],
};

const broken: [string, string] = ["messages/9999.json", "{}"];

function messages(name: string): [string, string] {
  const about = { time: 1, with: { username: "bo", name: "Bo" }, sent: true };
  const text = `${randomBytes(8).toString("hex")}${"e\u0301".repeat(200)}`;
  const conversation = randomUUID();
  const list = Array.from({ length: 1000 }, (_, index) => {
    return { id: randomUUID(), conversation, number: index + 1, text, ...about };
  });
  return [name, JSON.stringify({ messages: list })];
}

async function zipOf(files: Files): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of files) {
    // a compressor for each of 20,000 files at once would take 5 GB
    zip.addBuffer(Buffer.from(text), name, { compress: text.length > 0 });
  }
  zip.end();
  return buffer(zip.outputStream);
}

async function bring(address: string, cookie: string, zip: Buffer): Promise<void> {
  const form = new FormData();
  form.set("archive", new File([new Uint8Array(zip)], "archive.zip"));
  const answer = await fetch(`${address}/calls/import`, {
    method: "POST",
    headers: { cookie },
    body: form,
  });
  if (!answer.ok) throw new Error(`The archive was not taken: ${await answer.text()}`);
  await answer.arrayBuffer();
}

const size = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
