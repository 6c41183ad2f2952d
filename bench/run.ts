import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sql } from "#server/platform/db/sql.ts";
import { loadBuiltScreens } from "#server/screens.ts";
import { capacityTables } from "./capacity.ts";
import { growGraph } from "./graph.ts";
import { startInstallation } from "./installation.ts";
import { openProduct, sessionsFor, signInAs, type Member } from "./product.ts";
import { timingLeaks } from "./measurements/timing-leaks.ts";
import { appTimeline } from "./measurements/apps.ts";
import { archive } from "./measurements/archive.ts";
import { archiving } from "./measurements/archiving.ts";
import { backup } from "./measurements/backup.ts";
import { capacity } from "./measurements/capacity.ts";
import { continuous } from "./measurements/continuous.ts";
import { crowd } from "./measurements/crowd.ts";
import { discoveryFigures } from "./measurements/discovery.ts";
import { documentsAtOnce } from "./measurements/documents.ts";
import { feedJson } from "./measurements/feed-json.ts";
import { feedPage } from "./measurements/feed-page.ts";
import {
  cursorOfPage,
  deepPageFigure,
  feedReads,
  feedReadsFigure,
} from "./measurements/feed-reads.ts";
import { gatedImages } from "./measurements/gated-images.ts";
import { growthFigures } from "./measurements/growth.ts";
import { fanOutFigure, listReadsFigure, makeLists } from "./measurements/home-lists.ts";
import { longFeed } from "./measurements/long-feed.ts";
import { memory } from "./measurements/memory.ts";
import { messageCost, messageCostFigure } from "./measurements/messages.ts";
import { processes } from "./measurements/processes.ts";
import { countRoundTrips, roundTripsFigure } from "./measurements/round-trips.ts";
import { routes } from "./measurements/routes.ts";
import { screenPairs } from "./measurements/screen-pairs.ts";
import { searchFigures } from "./measurements/search.ts";
import { sessionCheck } from "./measurements/session-check.ts";
import { soak } from "./measurements/soak.ts";
import { deliveryCpu, idleMemory } from "./measurements/streams.ts";
import { turns } from "./measurements/turns.ts";
import { laterWork, upload, uploadsAtOnce } from "./measurements/upload.ts";
import { writes } from "./measurements/writes.ts";
import { startPostcard } from "./servers/measured-server.ts";
import { inFull, megabytes, toTable, type Figure } from "./table.ts";

const every =
  "reads search discovery growth trips session memory upload archive alike messages streams apps json gated writes page processes documents routes crowd long";
const { values: options } = parseArgs({
  options: {
    accounts: { type: "string", default: "2500" },
    seed: { type: "string", default: "1" },
    /** some of `every`; or archiving, backup, capacity, continuous, soak or turns, which take long and are not part of a whole run */
    only: { type: "string", default: every },
    /** how many accounts are searched; a million takes five minutes */
    searched: { type: "string", default: "1000,100000" },
    /** another folder, with another commit that is built: what requests cost there and here (--only turns) */
    against: { type: "string", default: "" },
    /** how long a soak takes (--only soak) */
    minutes: { type: "string", default: "30" },
    /** the sizes of the two towns for discovery */
    discovered: { type: "string", default: "1000,100000" },
    /** the sizes of the two towns in which the same accounts read the same; a million takes twenty minutes */
    grown: { type: "string", default: "1000,20000" },
    /** how large the folders are whose continuous backup is measured (--only continuous), GB */
    gigabytes: { type: "string", default: "1,10" },
    /** the towns that docs/capacity.md is compared with (--only capacity) */
    towns: { type: "string", default: "1000,20000,100000" },
    /**
     * writes the table of a whole run into docs/performance-table.md, and its consequences into
     * docs/capacity.md
     */
    write: { type: "boolean", default: false },
  },
});
const wanted = (row: string) => options.only.split(/[ ,]+/).includes(row);

const viewers = [
  { follows: 10, of: "anybody" },
  { follows: 200, of: "anybody" },
  { follows: 2000, of: "anybody" },
  { follows: 200, of: "quiet" },
  { follows: 0, of: "anybody" },
] as const;

const whose = (index: number) =>
  viewers[index]?.of === "quiet" ? " who seldom post among many who do" : "";

const figures: Figure[] = [];
const say = (sentence: string) => process.stderr.write(`${sentence}\n`);
function report(...results: Figure[]): void {
  for (const { what, value, met } of results) {
    say(`  ${what}: ${value}${met === false ? " — goal not met" : ""}`);
  }
  figures.push(...results);
}

/** One failing row does not end a run of an hour: the table says so, and the exit code is 1. */
async function attempt(row: string, work: () => Promise<Figure | Figure[]>): Promise<void> {
  if (!wanted(row)) return;
  try {
    report(...[await work()].flat());
  } catch (error) {
    process.exitCode = 1;
    say(`${row} failed: ${(error as Error).stack}`);
    const value = (error as Error).message.split("\n", 1)[0] ?? "";
    report({ what: `${row}: not measured`, value, goal: "", met: false });
  }
}

say("Starting a PostgreSQL of its own.");
const installation = await startInstallation();
process.once("SIGINT", () => {
  void installation.stop().then(() => process.exit(130));
});
try {
  const town = await seedDatabase();
  await attempt("search", async () => {
    const sizes = options.searched.split(",").map(Number);
    say(`Searching among ${sizes.map(inFull).join(" and ")} accounts. Making them takes a while.`);
    return searchFigures(installation, sizes);
  });
  await attempt("discovery", async () => {
    const [few = 1000, many = 100_000] = options.discovered.split(",").map(Number);
    say(`Finding people and posts among ${inFull(few)} and ${inFull(many)} accounts.`);
    return discoveryFigures(installation, [few, many]);
  });
  await attempt("growth", async () => {
    const [few = 1000, many = 20_000] = options.grown.split(",").map(Number);
    say(`Reading the same among ${inFull(few)} and ${inFull(many)} accounts.`);
    return growthFigures(installation, await openScreens(), [few, many], say);
  });
  await attempt("capacity", async () => {
    const sizes = options.towns.split(",").map(Number);
    say(`Growing towns of ${sizes.map(inFull).join(", ")} accounts: a quarter of an hour.`);
    return capacity(installation, sizes);
  });
  await attempt("backup", () => backup(installation));
  await attempt("archiving", () => archiving());
  for (const size of options.gigabytes.split(",").map(Number)) {
    await attempt("continuous", () => continuous(size, say));
  }
  await attempt("turns", async () => {
    say(
      "Filling the demo's town, then measuring two folders by turns. This takes a quarter of an hour.",
    );
    return turns(resolve(options.against));
  });
  await measure(town.members, town.newcomer);
  if (wanted("messages") || wanted("streams")) await measureStreams();
  await attempt("soak", async () => {
    const minutes = Number(options.minutes);
    say(`Soaking a server for ${minutes} minutes.`);
    return soak(installation, () => openProduct(installation), { minutes, say });
  });
  const table = toTable(figures);
  process.stdout.write(`\n${town.size}\n\n${table}\n`);
  if (options.write) {
    // A part of a run would overwrite the rest.
    if (options.only === every)
      writeInto("../docs/performance-table.md", "table", `${town.size}\n\n${table}`);
    if (options.only === "soak") writeInto("../docs/performance-table.md", "soak", table);
    writeInto("../docs/capacity.md", "tables", capacityTables());
  }
} finally {
  await installation.stop();
}

async function seedDatabase() {
  const started = performance.now();
  const asked = { accounts: Number(options.accounts), seed: Number(options.seed), viewers };
  const graph = await growGraph(installation.connection, asked, ({ what, seconds }) => {
    if (seconds >= 5) say(`  ${what}: ${seconds.toFixed(1)} s`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const size =
    `A town of ${inFull(graph.accounts)} accounts with ${inFull(graph.posts)} posts, ` +
    `${inFull(graph.rows)} rows in all.`;
  say(`${size} Made in ${seconds} s.`);
  const ids = graph.viewers.map(({ id }) => id);
  return { size, members: ids.slice(0, 4), newcomer: ids[4] ?? "" };
}

async function measure(readers: readonly string[], newcomer: string): Promise<void> {
  const product = openProduct(installation);
  try {
    const members = await signInAs(product, readers);
    const reader = members[1] as Member;
    await attempt("reads", () => measureReads(members));
    await attempt("trips", async () => {
      const screens = await openScreens();
      const pairs = await screenPairs(product, { reader: reader.viewer.id, newcomer });
      return (await countRoundTrips(product, screens, pairs)).map(roundTripsFigure);
    });
    await attempt("session", () => sessionCheck(product, reader, installation));
    await attempt("memory", () => memory(installation, reader));
    await attempt("upload", async () => [
      await upload(installation, reader),
      await uploadsAtOnce(installation, product),
      ...(await laterWork(installation, product, reader)),
    ]);
    await attempt("archive", () => archive(installation, product, reader));
    await attempt("alike", async () => {
      say("Timing answers to known and unknown addresses. This takes two minutes.");
      return timingLeaks(installation, product);
    });
    if (
      ["apps", "json", "gated", "writes", "page", "documents", "routes", "crowd", "long"].some(
        wanted,
      )
    )
      await measureServer(reader);
    await attempt("processes", () => processes(installation, reader));
  } finally {
    await product.close();
  }

  async function measureReads(members: readonly Member[]): Promise<Figure[]> {
    const { db } = product;
    const found: Figure[] = [];
    for (const [index, { viewer }] of members.entries()) {
      const { follows = 0 } = viewers[index] ?? {};
      found.push(feedReadsFigure(follows, whose(index), await feedReads(db, viewer, null)));
    }
    const { viewer } = members[1] as Member;
    const first = await feedReads(db, viewer, null);
    const deep = await feedReads(db, viewer, await cursorOfPage(db, viewer, 50));
    found.push(deepPageFigure(first, deep));
    await makeLists(
      product,
      members.map((member) => member.viewer),
    );
    for (const [index, member] of members.entries()) {
      found.push(await listReadsFigure(product, member, whose(index)));
    }
    return [...found, await fanOutFigure(product)];
  }

  async function measureServer(reader: Member): Promise<void> {
    say("Measuring CPU time, in turns with a control. This takes some minutes.");
    const postcard = await startPostcard(installation);
    try {
      await attempt("apps", () => appTimeline(installation, product, reader, postcard));
      await attempt("json", () => feedJson(installation, product, reader, postcard));
      await attempt("gated", () => gatedImages(installation, product, postcard));
      await attempt("writes", () => writes(installation, product, reader, postcard));
      await attempt("page", () => feedPage(installation, reader, postcard));
      await attempt("documents", () => documentsAtOnce(reader, postcard));
      await attempt("routes", async () => {
        const pairs = await screenPairs(product, { reader: reader.viewer.id, newcomer });
        return routes(pairs, reader, postcard);
      });
      await attempt("crowd", () => crowd(reader, postcard));
      await attempt("long", () => longFeed(reader, postcard));
      const { memory: resident, peakMemory } = await postcard.usage();
      const value = `${megabytes(resident)} (${megabytes(peakMemory)} at most)`;
      report({ what: "Memory of the server after all that", value, goal: "", met: null });
    } finally {
      await postcard.stop();
    }
  }
}

/** Two from the same product would not do: this one informs other processes about its writes. */
async function measureStreams(): Promise<void> {
  const product = openProduct({ ...installation, sendsHints: true });
  try {
    const accounts = await product.db.query<{ id: string }>(sql`
      select id from accounts order by id limit 600
    `);
    const ids = accounts.map(({ id }) => id);
    await attempt("messages", async () => {
      const members = await sessionsFor(product, ids.slice(0, 202));
      return messageCostFigure(await messageCost(product, members));
    });
    await attempt("streams", async () => {
      say("Measuring streams, in turns with a control. This takes two minutes.");
      return [
        await deliveryCpu(installation, product, ids),
        await idleMemory(installation, product, ids),
      ];
    });
  } finally {
    await product.close();
  }
}

function openScreens() {
  return loadBuiltScreens(fromHere(".."), (error) => say(String(error)));
}

/** Writes text between its two marks in a page. */
function writeInto(path: string, name: string, made: string): void {
  const page = fromHere(path);
  const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*(<!-- end of ${name} -->)`);
  writeFileSync(page, readFileSync(page, "utf8").replace(marks, `$1\n${made}\n\n$2`));
}

function fromHere(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
