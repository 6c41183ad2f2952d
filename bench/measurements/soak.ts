import { sql } from "#server/platform/db/sql.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import sharp from "sharp";
import { randomOf } from "../graph/random.ts";
import type { Installation } from "../installation.ts";
import { sessionsFor, type Product } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { createClients, createVirtualUsers, type Town } from "../soak/virtual-users.ts";
import {
  readReports,
  sampleDatabase,
  filesIn,
  sampleProcesses,
  sizeOf,
  type DatabaseSample,
  type ProcessSample,
} from "../soak/samples.ts";
import { thirdsFigure, type Watched } from "../soak/thirds.ts";
import { inFull, megabytes, type Figure } from "../table.ts";

const people = { members: 300, couples: 20, tabs: 120, photos: 6 };
/** So many actions may be in progress at once; what is due beyond them is skipped. */
const mostAtOnce = 60;
const sampleMs = 10_000;
/** After the load: what was in progress ends, what was begun and abandoned expires. */
const restMs = 90_000;
const workers = 2;

type Sample = {
  processes: ProcessSample[];
  reports: ReturnType<typeof readReports>;
  database: DatabaseSample;
  temporaryFiles: number;
  /** the oldest of them, seconds */
  oldestTemporary: number;
  diskBytes: number;
};

/**
 * Mixed load for so many minutes on a server of two processes, with its limits: virtual users read, write,
 * sign up and out, send photos, disconnect midway, and leave tabs open. What the processes hold in the last
 * third is compared with the middle one. Linux only.
 */
export async function soak(
  installation: Installation,
  openProduct: () => Product,
  { minutes, say }: { minutes: number; say: (sentence: string) => void },
): Promise<Figure[]> {
  if (process.platform !== "linux") throw new Error("A soak reads /proc, which only Linux has.");
  const folder = mkdtempSync(join(tmpdir(), "postcard-soak-"));
  const [reports, temporary] = [join(folder, "reports"), join(folder, "tmp")];
  for (const made of [reports, temporary]) mkdirSync(made);
  const town = await seedDatabase(openProduct);
  const server = await startPostcard(installation, {
    PROCESSES: String(workers),
    RATE_LIMITS: "on",
    // Every virtual user has an address of their own.
    TRUST_PROXY: "loopback",
    TMPDIR: temporary,
    BENCH_SAMPLES: reports,
  });
  const clients = createClients(server.url);
  const random = randomOf("soak");
  const database = new pg.Client(installation.connection);
  const samples: Sample[] = [];
  /** the IP address of the process that made the town */
  const known = new Set(filesIn(join(installation.dataDir, "tmp")).map(({ path }) => path));
  const ended = new AbortController();
  try {
    await database.connect();
    const before = await takeSample();
    const { acts, leaveOpen } = createVirtualUsers(clients, town, random);
    const tabs = await Promise.all(
      Array.from({ length: people.tabs }, (_, tab) =>
        leaveOpen(town.members[tab % town.members.length] as (typeof town.members)[number]),
      ),
    );
    const running = new Set<Promise<unknown>>();
    const leftOut = { count: 0 };
    const work = acts.map(async ({ perSecond, act }) => {
      const due = { at: performance.now() + (random() * 1000) / perSecond };
      while (!ended.signal.aborted) {
        await sleep(Math.max(0, due.at - performance.now()), null, ended).catch(() => null);
        due.at += 1000 / perSecond;
        if (running.size >= mostAtOnce) {
          leftOut.count += 1;
          continue;
        }
        const acting = act().finally(() => running.delete(acting));
        running.add(acting);
      }
    });

    const begun = performance.now();
    const count = Math.max(9, Math.round((minutes * 60_000) / sampleMs));
    const collectEvery = Math.max(1, Math.floor(count / 12));
    for (let at = 0; at < count; at += 1) {
      await sleep(Math.max(0, begun + (at + 1) * sampleMs - performance.now()));
      if (at % collectEvery === collectEvery - 1) await collect(reports);
      const sample = await takeSample();
      samples.push(sample);
      if (at % 6 === 5) say(`  ${lineOf(sample, (at + 1) / 6)}`);
    }
    ended.abort();
    await Promise.all(work);
    await Promise.all(running);
    const endedTabs = tabs.filter((tab) => tab.ended).length;
    for (const tab of tabs) tab.close();
    say(`  resting for ${restMs / 1000} s`);
    await sleep(restMs);
    const after = await takeSample();
    for (const { path, bytes, age } of temporaryFiles()) {
      say(`  still there: ${path}, ${bytes} bytes, ${age.toFixed(0)} s old`);
    }
    for (const [what, times] of clients.failures) say(`  failed ${times} ×: ${what}`);
    return figuresOf(samples, {
      before,
      after,
      minutes,
      endedTabs,
      leftOut: leftOut.count,
      ...clients.tally,
    });
  } finally {
    ended.abort();
    await database.end();
    clients.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  function temporaryFiles() {
    const found = filesIn(temporary, join(installation.dataDir, "tmp"));
    return found.filter(({ path }) => !known.has(path));
  }

  async function takeSample(): Promise<Sample> {
    const files = temporaryFiles();
    return {
      processes: sampleProcesses(server.pid),
      reports: readReports(reports),
      database: await sampleDatabase(database),
      temporaryFiles: files.length,
      oldestTemporary: Math.max(0, ...files.map(({ age }) => age)),
      diskBytes: sizeOf(installation.dataDir).bytes,
    };
  }
}

/** Every reporting process throws away what it does not need. */
async function collect(folder: string): Promise<void> {
  for (const pid of readReports(folder).keys()) process.kill(pid, "SIGUSR2");
  // The report after it shows what is left.
  await sleep(6000);
}

async function seedDatabase(openProduct: () => Product): Promise<Town> {
  const product = openProduct();
  try {
    const { db, features } = product;
    const accounts = await db.query<{ id: string }>(sql`
      select id from accounts order by id limit ${people.members}
    `);
    const members = await sessionsFor(
      product,
      accounts.map(({ id }) => id),
    );
    type Post = { authorId: string; username: string; postId: string; number: number };
    const posts = await db.query<Post>(sql`
      select a.id as "authorId", a.username, p.id as "postId", p.number
      from posts p
      join accounts a on a.id = p.author_id
      order by p.id desc
      limit 2000
    `);
    const couples = Array.from({ length: people.couples }, (_, at) => {
      const [one, two] = members.slice(2 * at, 2 * at + 2);
      if (!one || !two) throw new Error("The town is too small to soak.");
      return [one, two] as const;
    });
    for (const [one, two] of couples) {
      await features.follows.follow(one.viewer, two.viewer.id);
      await features.follows.follow(two.viewer, one.viewer.id);
    }
    const photos = await Promise.all(Array.from({ length: people.photos }, (_, at) => photo(at)));
    return { members, couples, posts, photos };
  } finally {
    await product.close();
  }
}

/** 1,600 × 1,200 pixels of soft colours and grain. */
async function photo(at: number): Promise<Buffer> {
  const size = { width: 1600, height: 1200, channels: 3 } as const;
  const noise = { type: "gaussian", mean: 90 + at * 15, sigma: 12 } as const;
  return sharp({ create: { ...size, background: "gray", noise } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** The total of all processes of a sample, or the largest of them. */
const total = (of: (one: ProcessSample) => number) => (sample: Sample) =>
  sample.processes.reduce((sum, one) => sum + of(one), 0);
const most = (of: (one: ProcessSample) => number) => (sample: Sample) =>
  Math.max(...sample.processes.map(of));

type Report = Sample["reports"] extends Map<number, infer Each> ? Each : never;
const reported = (of: (report: Report) => number, over: "all" | "worst") => (sample: Sample) => {
  const values = sample.processes.flatMap(({ pid }) => {
    const report = sample.reports.get(pid);
    return report ? [of(report)] : [];
  });
  return over === "all" ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
};

function lineOf(sample: Sample, minute: number): string {
  const memory = sample.processes.map(
    ({ pid, memory: bytes }) =>
      `${megabytes(bytes)} (live ${megabytes(sample.reports.get(pid)?.live ?? 0)})`,
  );
  const delay = reported(({ delay: { p99 } }) => p99, "worst")(sample);
  return (
    `${Math.round(minute)} min: ${memory.join(", ")}; ` +
    `${total(({ descriptors }) => descriptors)(sample)} descriptors, ` +
    `${total(({ threads }) => threads)(sample)} threads, ${sample.database.connections} connections, ` +
    `${sample.temporaryFiles} temporary files, loop p99 ${delay.toFixed(1)} ms`
  );
}

const descriptorsOf = total(({ descriptors }) => descriptors);

/** What is left at the end, compared with before: `allowed` more are pools that keep what they have. */
function left(what: string, before: number, after: number, allowed: number): Figure {
  return {
    what: `Left when all was over: ${what}`,
    value: `${after} (${before} before)`,
    goal: `≤ ${before + allowed}`,
    met: after <= before + allowed,
  };
}

type Outcome = {
  /** before the first request, and at the end */
  before: Sample;
  after: Sample;
  minutes: number;
  endedTabs: number;
  leftOut: number;
  answered: number;
  refused: number;
  sentAway: number;
  late: number;
  failed: number;
  aborted: number;
};

/** A median of an even number can lie between two. */
const whole = (count: number) => inFull(Math.round(count));
const ms = (value: number) => `${value.toFixed(1)} ms`;

function figuresOf(samples: readonly Sample[], outcome: Outcome): Figure[] {
  const watched = (
    what: string,
    of: (sample: Sample) => number,
    format: Watched["format"],
    more: Pick<Watched, "slack" | "held"> = {},
  ) => thirdsFigure({ what, samples: samples.map(of), format, ...more });
  const grown = (of: (sample: Sample) => number) => {
    let before = of(samples[0] as Sample);
    return samples.map((sample) => {
      const growth = Math.max(0, of(sample) - before);
      before = of(sample);
      return growth;
    });
  };
  const { before, after } = outcome;
  const { answered, refused, sentAway, late, failed, aborted, leftOut, endedTabs, minutes } =
    outcome;
  return [
    {
      what: `Requests in ${minutes} minutes`,
      value:
        `${inFull(answered)} answered, ${inFull(refused)} refused, ${inFull(sentAway)} told to come later, ` +
        `${inFull(late)} waited over a minute, ${failed} failed; ${inFull(aborted)} left in the middle; ${inFull(leftOut)} not begun`,
      goal: "none failed",
      met: failed === 0,
    },
    {
      what: `Tabs left open, ${people.tabs}: streams that ended`,
      value: String(endedTabs),
      goal: "0",
      met: endedTabs === 0,
    },
    watched(
      "Resident memory of all processes",
      total(({ memory }) => memory),
      megabytes,
    ),
    watched(
      "Resident memory of the largest",
      most(({ memory }) => memory),
      megabytes,
    ),
    watched(
      "Objects in use after a collection, all processes",
      reported(({ live }) => live, "all"),
      megabytes,
    ),
    watched(
      "Memory beside the heap (buffers)",
      reported(({ external }) => external, "all"),
      megabytes,
      {
        slack: 10e6,
      },
    ),
    watched(
      "File descriptors",
      total(({ descriptors }) => descriptors),
      whole,
      { slack: 10 },
    ),
    watched(
      "Threads",
      total(({ threads }) => threads),
      whole,
      { slack: 4 },
    ),
    watched(
      "Timers of the processes",
      reported(({ active }) => active.Timeout ?? 0, "all"),
      whole,
      { slack: 10 },
    ),
    watched("Connections to the database", ({ database }) => database.connections, whole, {
      held: false,
    }),
    watched(
      "The oldest transaction, seconds",
      (sample) => sample.database.oldestTransaction,
      (s) => s.toFixed(1),
      {
        slack: 1,
      },
    ),
    watched("Temporary files", ({ temporaryFiles }) => temporaryFiles, whole, { held: false }),
    watched(
      "The oldest temporary file, seconds",
      ({ oldestTemporary }) => oldestTemporary,
      (s) => s.toFixed(0),
      { held: false },
    ),
    // the AVIF of uploads is made long after: each process has one original there meanwhile
    left("temporary files", before.temporaryFiles, after.temporaryFiles, workers),
    left(
      "connections to the database",
      before.database.connections,
      after.database.connections,
      20,
    ),
    left("file descriptors", descriptorsOf(before), descriptorsOf(after), 30),
    watched(
      "Event loop, how late at p50",
      reported(({ delay }) => delay.p50, "worst"),
      ms,
      { held: false },
    ),
    watched(
      "Event loop, how late at p99",
      reported(({ delay }) => delay.p99, "worst"),
      ms,
      { held: false },
    ),
    watched("Write-ahead log on disk", ({ database }) => database.wal, megabytes, { held: false }),
    watched("The database", ({ database }) => database.bytes, megabytes, { held: false }),
    thirdsFigure({
      what: "Growth of the pictures and private files, each ten seconds",
      samples: grown(({ diskBytes }) => diskBytes),
      format: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
      held: false,
    }),
  ];
}
