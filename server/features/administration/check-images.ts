import { createHash, randomBytes } from "node:crypto";
import { pipeline } from "node:stream/promises";
import {
  fileOf,
  type ImageStore,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/administration/check-images.queries.ts";
import { imageTables } from "#server/features/image-tables.ts";
import { messageImageKeysInUse } from "#server/features/talk/index.ts";
import { keysInUse, unclaimedForMs } from "#server/features/posts/index.ts";
import { isRefusal } from "#shared/errors.ts";

export type Fault = {
  /** `orphan`: files that no row names */
  fault: "missing" | "cut" | "altered" | "orphan";
  /** `private`: images of messages */
  area: "public" | "private";
  key: string;
  /** `original`, or a variant by its width; null for an orphan */
  file: string | null;
};

/** Where a check that was interrupted continues. */
export type CheckPosition = { table: queries.ImageTable; key: string };

type Deps = { db: Database; store: ImageStore; privateStore: ImageStore };
type Callbacks = {
  onFault: (fault: Fault) => void;
  /** after every page of rows */
  onProgress?: (checked: number, position: CheckPosition) => void;
};
type Area = {
  area: Fault["area"];
  store: ImageStore;
  named: (keys: string[]) => Promise<Set<string>>;
};

const pageSize = 200;
/** Orphans are listed by variants and by originals; so many are remembered, to be reported once. */
const mostRemembered = 10_000;

/**
 * Compares the files of all images with their rows, both ways; returns how many images it checked.
 * It reads in pages and changes nothing.
 */
export async function checkImages(
  { db, store, privateStore }: Deps,
  { onFault, onProgress }: Callbacks,
  from: CheckPosition | null = null,
): Promise<number> {
  const { areas, areaOf } = areasOf({ db, store, privateStore });
  let checked = 0;
  for await (const { page, position } of imagePages(db, from, pageSize)) {
    for (const image of page) await compare(areaOf(position.table), image, onFault);
    checked += page.length;
    onProgress?.(checked, position);
  }
  for (const area of areas) await findUnnamed(area, onFault);
  return checked;
}

/** All images from a position on, `size` at a time, each time with the position where they end. */
export async function* imagePages(db: Database, from: CheckPosition | null, size: number) {
  for (const table of queries.imageTableNames.slice(
    from ? queries.imageTableNames.indexOf(from.table) : 0,
  )) {
    let key = from?.table === table ? from.key : "";
    for (;;) {
      const page = await queries.imagesAfter(db, table, key, size);
      key = page.at(-1)?.key ?? key;
      if (page.length > 0) yield { page, position: { table, key } };
      if (page.length < size) break;
    }
  }
}

/**
 * The same for images chosen at random, at most so many of each table, and without looking for
 * files that no row names: an answer within seconds, however many there are.
 */
export async function checkSomeImages(
  deps: Deps,
  onFault: Callbacks["onFault"],
  most: number,
): Promise<{ checked: number; all: boolean }> {
  const { areaOf } = areasOf(deps);
  let checked = 0;
  let all = true;
  for (const table of queries.imageTableNames) {
    // Keys are hashes: those that follow any position are as good as any others.
    const start = randomBytes(16).toString("hex");
    const page = await queries.imagesAfter(deps.db, table, start, most);
    const before = most - page.length;
    const first = before > 0 ? await queries.imagesAfter(deps.db, table, "", before) : [];
    const chosen = [...page, ...first.filter(({ key }) => key <= start)];
    for (const image of chosen) await compare(areaOf(table), image, onFault);
    checked += chosen.length;
    all &&= chosen.length < most;
  }
  return { checked, all };
}

function areasOf({ db, store, privateStore }: Deps) {
  const open: Area = { area: "public", store, named: (keys) => keysInUse(db, keys) };
  const closed: Area = {
    area: "private",
    store: privateStore,
    named: (keys) => messageImageKeysInUse(db, keys),
  };
  const areaOf = (table: queries.ImageTable) => (imageTables[table] === "public" ? open : closed);
  return { areas: [open, closed], areaOf };
}

/** An image that is deleted during the check is no fault. */
async function compare(area: Area, image: queries.StoredImage, onFault: Callbacks["onFault"]) {
  const faults = await faultsOf(area, image);
  const gone = faults.length > 0 && !(await area.named([image.key])).has(image.key);
  if (!gone) faults.forEach(onFault);
}

async function faultsOf({ area, store }: Area, image: queries.StoredImage): Promise<Fault[]> {
  const { key, widths, avifWidths, movingWidths } = image;
  const faults: Fault[] = [];
  for (const [type, kept] of [
    ["webp", widths],
    ["avif", avifWidths],
    ["moving", movingWidths],
  ] as const) {
    for (const width of kept) {
      const fault = await faultOfVariant(store, key, width, type);
      if (fault) faults.push({ fault, area, key, file: fileOf(width, type) });
    }
  }
  const fault = await faultOfOriginal(store, image);
  if (fault) faults.push({ fault, area, key, file: "original" });
  return faults;
}

async function faultOfVariant(store: ImageStore, key: string, width: number, type: VariantType) {
  try {
    const found = await store.open(key, width, type);
    await found?.close();
    return found ? null : "missing";
  } catch (error) {
    if (isRefusal(error) && error.code === "picture-damaged") return "cut";
    throw error;
  }
}

async function faultOfOriginal(store: ImageStore, { key, bytes, id }: queries.StoredImage) {
  const found = await store.openOriginal(key);
  if (!found) return "missing";
  if (found.bytes !== bytes || id === null) {
    await found.close();
    return found.bytes < bytes ? "cut" : found.bytes > bytes ? "altered" : null;
  }
  // The key is the beginning of this hash (decision 0015).
  const hash = createHash("sha256").update(id);
  await pipeline(found.read(), hash);
  return hash.digest("hex").startsWith(key) ? null : "altered";
}

/** Files that are an hour old: the rows of younger ones may not be written yet. */
async function findUnnamed({ area, store, named }: Area, onFault: Callbacks["onFault"]) {
  const reported = new Set<string>();
  for await (const keys of store.list(new Date(Date.now() - unclaimedForMs))) {
    const used = await named(keys);
    for (const key of keys) {
      if (used.has(key) || reported.has(key)) continue;
      if (reported.size < mostRemembered) reported.add(key);
      onFault({ fault: "orphan", area, key, file: null });
    }
  }
}
