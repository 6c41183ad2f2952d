import { limits } from "#shared/limits.ts";
import { aligned, inFull } from "./table.ts";

/**
 * What an installation of so many people needs. Everything here is linear in people: what a request reads
 * does not grow with the number of accounts (docs/performance.md; compared with towns of three sizes by `npm
 * run bench -- --only capacity`). docs/capacity.md has the tables made by this, and explains them.
 */

/**
 * Bytes of a row with its TOAST and its entries in every index, loaded at once: measured in a town of 20,000
 * accounts (`npm run bench -- --only capacity`). Those of follows and home_entries, which came later, in one
 * of 5,000; of apps, their tokens and markers, of the index of decimal ids (23 in accounts, posts and
 * comments), and of the audience of a post with its index (69), by 100,000 rows.
 */
export const bytesOfRow = {
  accounts: 985,
  usernames: 156,
  account_counters: 209,
  account_storage: 175,
  credentials: 378,
  sessions: 405,
  images: 399,
  posts: 490,
  post_pictures: 229,
  recent_photos: 181,
  follows: 243,
  followers: 214,
  home_entries: 158,
  likes: 294,
  comments: 393,
  bookmarks: 335,
  notifications: 475,
  notification_acts: 298,
  conversations: 329,
  conversation_members: 174,
  messages: 492,
  apps: 382,
  app_tokens: 363,
  read_markers: 117,
} as const;
export type TableName = keyof typeof bytesOfRow;

/** CPU of one request, microseconds, of the server and of PostgreSQL: from the same run and town. */
export const cpuOf = {
  feedPage: [2290, 2710],
  feedDocument: [7490, 2470],
  postDocument: [5570, 1220],
  like: [1790, 1560],
  comment: [2370, 2410],
  post: [1910, 2040],
} as const satisfies Record<string, readonly [server: number, database: number]>;

/** Rows of docs/performance-table.md. */
const measured = {
  /** CPU seconds of a photograph of 12 megapixels: while it is sent, and its AVIF later */
  photo: { atOnce: 1, later: 1.2 },
  /** of an event to one stream, microseconds */
  event: 47,
  /** memory of an idle stream in the server, bytes; the kernel's memory for a socket comes on top */
  stream: 20_000,
  /**
   * what BACKUP_DIR keeps of a byte of the database, in a base and in a daily backup, and of the log of one like,
   * comment or post, bytes (--only continuous)
   */
  backup: { base: 0.35, daily: 0.13, write: 6000 },
  /** connections to PostgreSQL of a single process, and at least so many of each of several */
  connections: { alone: 27, each: 9 },
};

/**
 * What each active person does in a day. `daily`, `posts` and `likes` are Instagram's of June 2016: 300
 * million a day of 500 million a month, 95 million posts and 4.2 billion likes a day. The rest is assumed; a
 * smaller site is quieter.
 */
export const habits = {
  /** share of the people that come on a day */
  daily: 300 / 500,
  posts: 95 / 300,
  likes: 4200 / 300,
  comments: 1,
  messages: 5,
  saves: 0.5,
  visits: 6,
  /** in a visit: its first document, then pages of 20 more posts, and posts that are opened */
  feedPages: 3,
  postPages: 1,
  /** how long a page stays open, minutes */
  minutes: 8,
  /** documents that visitors open, for each member who comes */
  visitorPages: 2,
  follows: 150,
  /** of posts, and photos in one that has any */
  withPhotos: 0.75,
  photos: 1.3,
};

const assumed = {
  /** what stays, as a rule (docs/operations.md): daily backups, bases, and days of log */
  kept: { daily: 10, bases: 5, days: 28 },
  /** the busiest minute against the mean of a day */
  peak: 2.5,
  /**
   * how busy cores may be in that minute: above half, waits grow (docs/performance.md, three times the load
   * it can serve)
   */
  busy: 0.5,
  /** bytes of an uploaded photo; its copies in other widths add half as much again (docs/operations.md) */
  original: 3e6,
  copies: 0.5,
  /** bytes of a photo in a feed on a phone, and photos of 20 posts that are viewed */
  shown: 90_000,
  looked: 15,
  /** share of the viewed photos that this browser does not have yet */
  fresh: 0.5,
  /**
   * The size of tables that grew row by row, compared with tables loaded at once: pages of B-trees are 69 %
   * full then (ln 2; Yao 1978, Acta Informatica 9), not 90, and autovacuum leaves up to a fifth dead.
   */
  aged: 1.3,
  /** conversations of a person */
  conversations: 5,
  sessions: 2,
};

/** What one person costs; everything else is a multiple. */
const own = (() => {
  const { daily } = habits;
  const photosADay = daily * habits.posts * habits.withPhotos * habits.photos;
  /** rows that a person has once, and rows that each day adds */
  const once: Partial<Record<TableName, number>> = {
    accounts: 1,
    usernames: 1,
    account_counters: 1,
    account_storage: 1,
    credentials: 1,
    sessions: assumed.sessions,
    // one third-party app, which registers itself for each of its users
    apps: 1,
    app_tokens: 1,
    read_markers: 2,
    images: 1,
    recent_photos: limits.explore.perAccount,
    follows: habits.follows,
    followers: habits.follows,
    // at most: an account that opens home has a list that is cut to 800 entries after about 256 new ones
    home_entries: 928,
    conversations: assumed.conversations / 2,
    conversation_members: assumed.conversations,
    // of the last months: read ones are swept
    notification_acts:
      daily * (habits.likes + habits.comments) * limits.notifications.retentionDays,
    notifications: daily * habits.posts * 2 * limits.notifications.retentionDays,
  };
  const eachDay: Partial<Record<TableName, number>> = {
    posts: daily * habits.posts,
    images: photosADay,
    post_pictures: photosADay,
    likes: daily * habits.likes,
    comments: daily * habits.comments,
    bookmarks: daily * habits.saves,
    messages: daily * habits.messages,
  };
  const bytes = (rows: Partial<Record<TableName, number>>) =>
    assumed.aged *
    Object.entries(rows).reduce(
      (sum, [name, count]) => sum + count * bytesOfRow[name as TableName],
      0,
    );

  /** requests in a day, and what they cost */
  const requests: [keyof typeof cpuOf, number][] = [
    ["feedDocument", daily * habits.visits],
    ["feedPage", daily * habits.visits * habits.feedPages],
    ["postDocument", daily * (habits.visits * habits.postPages + habits.visitorPages)],
    ["like", daily * habits.likes],
    ["comment", daily * (habits.comments + habits.messages)],
    ["post", daily * habits.posts],
  ];
  const ofRequests = (part: 0 | 1) =>
    requests.reduce((sum, [kind, count]) => sum + count * cpuOf[kind][part], 0) / 1e6;
  const writes =
    daily * (habits.posts + habits.likes + habits.comments + habits.messages + habits.saves);
  const databaseBytes = bytes(once) + 365 * bytes(eachDay);
  const imageBytes = 365 * photosADay * assumed.original * (1 + assumed.copies);
  const logBytes = writes * measured.backup.write;
  const { kept } = assumed;
  const copies = kept.daily * measured.backup.daily + kept.bases * measured.backup.base;
  /** share of the people that have a page open in the busiest minute */
  const here = (daily * habits.visits * habits.minutes * assumed.peak) / 1440;
  const events = daily * (habits.posts * habits.follows * here + habits.messages * 2);
  /** from a day's CPU seconds, the cores of its busiest minute */
  const atPeak = (seconds: number) => (seconds * assumed.peak) / 86_400 / assumed.busy;
  const photosLooked = daily * habits.visits * habits.feedPages * assumed.looked * assumed.fresh;
  return {
    posts: daily * habits.posts,
    daily,
    serverCores: atPeak(ofRequests(0) + (events * measured.event) / 1e6),
    databaseCores: atPeak(ofRequests(1)),
    // AVIF can wait for a quieter hour
    imageCores:
      atPeak(photosADay * measured.photo.atOnce) + (photosADay * measured.photo.later) / 86_400,
    requests: (requests.reduce((sum, [, count]) => sum + count, 0) * assumed.peak) / 86_400,
    streams: here,
    databaseBytes,
    imageBytes,
    logBytes,
    backupBytes: imageBytes + databaseBytes * copies + kept.days * logBytes,
    bitsOfImages: (photosLooked * assumed.shown * 8 * assumed.peak) / 86_400,
  };
})();

export type Needs = ReturnType<typeof needsOf>;

/** What so many people need, in their busiest minute and after their first year. */
export function needsOf(people: number) {
  const times = (one: number) => one * people;
  const serverCores = times(own.serverCores) + times(own.imageCores);
  const processes = Math.max(1, Math.ceil(serverCores));
  const { alone, each } = measured.connections;
  return {
    daily: times(own.daily),
    posts: times(own.posts),
    requests: times(own.requests),
    streams: times(own.streams),
    streamMemory: times(own.streams) * measured.stream,
    serverCores: times(own.serverCores),
    imageCores: times(own.imageCores),
    databaseCores: times(own.databaseCores),
    processes,
    connections: Math.max(alone, each * processes),
    databaseBytes: times(own.databaseBytes),
    imageBytes: times(own.imageBytes),
    logBytes: times(own.logBytes),
    backupBytes: times(own.backupBytes),
    bitsOfImages: times(own.bitsOfImages),
  };
}

/** How much of each resource a step has, and how much of it one person takes. */
type Step = { name: string; has: Partial<Record<keyof typeof takes, number>> };

const takes = {
  "cores for pages and calls": (one: typeof own) => one.serverCores,
  "cores for photos": (one: typeof own) => one.imageCores,
  "cores in all": (one: typeof own) => one.serverCores + one.imageCores + one.databaseCores,
  "cores of the database": (one: typeof own) => one.databaseCores,
  "disk, first year": (one: typeof own) => one.databaseBytes + one.imageBytes,
  "disk of the database, first year": (one: typeof own) => one.databaseBytes,
  "line for pictures": (one: typeof own) => one.bitsOfImages,
  "streams of a process": (one: typeof own) => one.streams,
  "connections of the database": (one: typeof own) =>
    (one.serverCores + one.imageCores) * measured.connections.each,
} satisfies Record<string, (one: typeof own) => number>;

/** Of 65,536 open files a process takes 60 % for connections. */
const streamsOfProcess = 0.6 * 65_536;

export const steps: Step[] = [
  {
    name: "one process: 2 cores, 200 GB, 100 Mbit/s",
    has: {
      "cores for pages and calls": 1,
      "cores in all": 2,
      "disk, first year": 200e9,
      "line for pictures": 100e6,
      "streams of a process": streamsOfProcess,
    },
  },
  {
    name: "`PROCESSES=8`: 16 cores, 4 TB, 1 Gbit/s",
    has: {
      "cores for pages and calls": 8,
      "cores in all": 16,
      "disk, first year": 4e12,
      "line for pictures": 1e9,
      "streams of a process": 8 * streamsOfProcess,
    },
  },
  {
    name: "the same with a bucket and a CDN",
    has: {
      "cores for pages and calls": 8,
      "cores in all": 16,
      "disk of the database, first year": 4e12,
      "streams of a process": 8 * streamsOfProcess,
    },
  },
  {
    name: "several servers, PostgreSQL on 16 cores, 8 TB, 500 connections",
    has: {
      "cores of the database": 16,
      "disk of the database, first year": 8e12,
      "connections of the database": 500,
    },
  },
  {
    name: "the same with 64 cores, 32 TB, and connections for all",
    has: { "cores of the database": 64, "disk of the database, first year": 32e12 },
  },
];

/** How many people a step holds by each of its resources, the smallest first. */
export function holds({ has }: Step): { resource: string; people: number }[] {
  return Object.entries(has)
    .map(([resource, amount]) => ({
      resource,
      people: amount / takes[resource as keyof typeof takes](own),
    }))
    .toSorted((one, other) => one.people - other.people);
}

const largest = steps.at(-1) as Step;

/** Over how many databases people are spread by owner if one of the largest step is too small. */
export const databasesFor = (people: number) =>
  Math.ceil(people / (holds(largest)[0]?.people ?? people));

const sizes = [1000, 100_000, 10_000_000, 100_000_000];

/** Two digits: more would promise more than a model can. */
export function rounded(value: number): string {
  if (value < 0.095) return value.toPrecision(1);
  if (value < 10) return String(Number(value.toPrecision(2)));
  return inFull(Number(value.toPrecision(2)));
}

function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
  const power = Math.max(0, Math.floor(Math.log10(value) / 3));
  return `${rounded(value / 1000 ** power)} ${units[power]}`;
}

function bits(value: number): string {
  return value < 1e9 ? `${rounded(value / 1e6)} Mbit/s` : `${rounded(value / 1e9)} Gbit/s`;
}

/** The tables of docs/capacity.md. */
export function capacityTables(): string {
  const needs = sizes.map(needsOf);
  const row = (name: string, of: (needs: Needs) => string) => [name, ...needs.map(of)];
  const table = [
    ["people", ...sizes.map(inFull)],
    row("come on a day", ({ daily }) => rounded(daily)),
    row("posts a day", ({ posts }) => rounded(posts)),
    row("requests a second, busiest minute", ({ requests }) => rounded(requests)),
    row("pages open then, a stream each", ({ streams }) => rounded(streams)),
    row("memory of these streams", ({ streamMemory }) => bytes(streamMemory)),
    row("cores for pages and calls", ({ serverCores }) => rounded(serverCores)),
    row("cores for photos", ({ imageCores }) => rounded(imageCores)),
    row("cores of PostgreSQL", ({ databaseCores }) => rounded(databaseCores)),
    row("processes", ({ processes }) => rounded(processes)),
    row("connections to PostgreSQL", ({ connections }) => rounded(connections)),
    row("database, first year", ({ databaseBytes }) => bytes(databaseBytes)),
    row("pictures, each year", ({ imageBytes }) => bytes(imageBytes)),
    row("backups after it, pictures included", ({ backupBytes }) => bytes(backupBytes)),
    row("log in backups, each day", ({ logBytes }) => bytes(logBytes)),
    row("line for pictures, busiest minute", ({ bitsOfImages }) => bits(bitsOfImages)),
    ["databases, spread by owner", ...sizes.map((people) => rounded(databasesFor(people)))],
  ];
  const stepTable = [
    ["step", "people it holds", "what ends it", "what would come next"],
    ...steps.map((step) => {
      const [first, second] = holds(step);
      return [
        step.name,
        rounded(first?.people ?? 0),
        first?.resource ?? "",
        second ? `${second.resource}, at ${rounded(second.people)}` : "",
      ];
    }),
  ];
  return `${aligned(table)}\n\n${aligned(stepTable)}`;
}
