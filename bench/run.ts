import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { growGraph } from "./graph.ts";
import { startInstallation } from "./installation.ts";
import { openProduct, signInAs } from "./product.ts";
import { feedJson } from "./rows/feed-json.ts";
import { feedPage } from "./rows/feed-page.ts";
import { cursorOfPage, deepPageFigure, feedReads, feedReadsFigure } from "./rows/feed-reads.ts";
import { countRoundTrips, roundTripsFigure } from "./rows/round-trips.ts";
import { screenPairs } from "./rows/screen-pairs.ts";
import { sessionCheck } from "./rows/session-check.ts";
import { upload } from "./rows/upload.ts";
import { startPostcard } from "./servers/measured-server.ts";
import { toTable, type Figure } from "./table.ts";
import { loadBuiltScreens } from "#server/screens.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = fileURLToPath(new URL("../docs/performance.md", import.meta.url));

const { values: options } = parseArgs({
  options: {
    accounts: { type: "string", default: "2500" },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});

const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
const figures: Figure[] = [];

function tell(...told: Figure[]): void {
  for (const figure of told) say(`  ${figure.what}: ${figure.value}`);
  figures.push(...told);
}

say("Starting a PostgreSQL of its own.");
const installation = await startInstallation();
const { connection } = installation;
process.once("SIGINT", () => {
  void installation.stop().then(() => process.exit(130));
});

try {
  const started = performance.now();
  const graph = await growGraph(connection, {
    accounts: Number(options.accounts),
    seed: Number(options.seed),
    viewers: [
      { follows: 10, of: "anybody" },
      { follows: 200, of: "anybody" },
      { follows: 2000, of: "anybody" },
      { follows: 200, of: "quiet" },
      { follows: 0, of: "anybody" },
    ],
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const size = `${graph.accounts} accounts, ${graph.posts} posts, ${graph.rows} rows`;
  say(`Made a town of ${size} in ${seconds} s.`);

  const product = openProduct(installation);
  const [few, some, many, quiet, newcomer] = graph.viewers.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const pairs = await screenPairs(product, { reader: some, newcomer });
  const members = await signInAs(product, [few, some, many, quiet]);

  say("Counting what is read.");
  for (const [index, { viewer }] of members.entries()) {
    const follows = [10, 200, 2000, 200][index] ?? 0;
    const reads = await feedReads(product, connection, { viewer, cursor: null });
    const whose = index === 3 ? " who seldom post among many who do" : "";
    tell(feedReadsFigure(whose, { follows, ...reads }));
  }
  const member = members[1] as (typeof members)[number];
  const { viewer } = member;
  const first = await feedReads(product, connection, { viewer, cursor: null });
  const cursor = await cursorOfPage(product, viewer, 50);
  const deep = await feedReads(product, connection, { viewer, cursor });
  tell(deepPageFigure(first.page, deep.page));

  const screens = await loadBuiltScreens(root, (error) => say(String(error)));
  for (const counted of await countRoundTrips(product, screens, pairs)) {
    tell(roundTripsFigure(counted));
  }

  say("Measuring CPU time, in turns with a control. This takes some minutes.");
  tell(await sessionCheck(product, member));
  tell(await upload(installation, member));
  const postcard = await startPostcard(installation);
  try {
    tell(...(await feedJson(installation, product, member, postcard)));
    tell(...(await feedPage(installation, member, postcard)));
    const { memory, peakMemory } = await postcard.usage();
    const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
    tell({
      what: "Memory of the server after all that",
      value: `${mb(memory)} (${mb(peakMemory)} at most)`,
      goal: "",
      met: null,
    });
  } finally {
    await postcard.stop();
  }
  await product.close();
  const table = toTable(figures);
  process.stdout.write(`\n${table}\n`);
  if (options.write && existsSync(page)) writeTable(`Town: ${size}.\n\n${table}`);
} finally {
  await installation.stop();
}

/** Puts the table between its two marks in docs/performance.md. */
function writeTable(table: string): void {
  const marks = /(<!-- table -->\n)[\s\S]*(\n<!-- end of table -->)/;
  writeFileSync(page, readFileSync(page, "utf8").replace(marks, `$1\n${table}\n$2`));
}
