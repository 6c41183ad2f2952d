import { createHash, randomBytes } from "node:crypto";
import { pipeline } from "node:stream/promises";
import {
  fileOf,
  type ImageStore,
  type VariantType,
} from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/db/database.ts";
import * as queries from "#server/features/administration/check-pictures.queries.ts";
import { pictureKeysInUse } from "#server/features/talk/index.ts";
import { keysInUse, unclaimedForMs } from "#server/features/posts/index.ts";
import { isRefusal } from "#shared/errors.ts";

export type Fault = {
  /** `orphan`: files that no row names */
  fault: "missing" | "cut" | "altered" | "orphan";
  /** `private`: pictures of messages */
  area: "public" | "private";
  key: string;
  /** `original`, or a variant by its width; null for an orphan */
  file: string | null;
};

/** Where a check that was interrupted goes on. */
export type Place = { table: queries.PictureTable; key: string };

type Deps = { db: Database; store: ImageStore; privateStore: ImageStore };
type Told = {
  onFault: (fault: Fault) => void;
  /** after every page of rows */
  onProgress?: (checked: number, place: Place) => void;
};
type Area = {
  area: Fault["area"];
  store: ImageStore;
  named: (keys: string[]) => Promise<Set<string>>;
};

const pageSize = 200;
/** Orphans are listed by variants and by originals; so many are remembered, to be told once. */
const mostRemembered = 10_000;

/**
 * Compares the files of all pictures with their rows, both ways; returns how many pictures it looked
 * at. It reads in pages and changes nothing.
 */
export async function checkPictures(
  { db, store, privateStore }: Deps,
  { onFault, onProgress }: Told,
  from: Place | null = null,
): Promise<number> {
  const { areas, areaOf } = areasOf({ db, store, privateStore });
  let checked = 0;
  for await (const { page, place } of picturePages(db, from, pageSize)) {
    for (const picture of page) await compare(areaOf(place.table), picture, onFault);
    checked += page.length;
    onProgress?.(checked, place);
  }
  for (const area of areas) await findUnnamed(area, onFault);
  return checked;
}

/** All pictures from a place on, `size` at a time, each time with the place where they end. */
export async function* picturePages(db: Database, from: Place | null, size: number) {
  for (const table of queries.pictureTables.slice(
    from ? queries.pictureTables.indexOf(from.table) : 0,
  )) {
    let key = from?.table === table ? from.key : "";
    for (;;) {
      const page = await queries.picturesAfter(db, table, key, size);
      key = page.at(-1)?.key ?? key;
      if (page.length > 0) yield { page, place: { table, key } };
      if (page.length < size) break;
    }
  }
}

/**
 * The same of pictures chosen at random, at most so many of each table, and without looking for files
 * that no row names: an answer within seconds, however many there are.
 */
export async function checkSomePictures(
  deps: Deps,
  onFault: Told["onFault"],
  most: number,
): Promise<{ checked: number; all: boolean }> {
  const { areaOf } = areasOf(deps);
  let checked = 0;
  let all = true;
  for (const table of queries.pictureTables) {
    // Keys are hashes: those that follow any place are as good as any others.
    const start = randomBytes(16).toString("hex");
    const page = await queries.picturesAfter(deps.db, table, start, most);
    const before = most - page.length;
    const first = before > 0 ? await queries.picturesAfter(deps.db, table, "", before) : [];
    const chosen = [...page, ...first.filter(({ key }) => key <= start)];
    for (const picture of chosen) await compare(areaOf(table), picture, onFault);
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
    named: (keys) => pictureKeysInUse(db, keys),
  };
  const areaOf = (table: queries.PictureTable) =>
    table === "images" || table === "visitor_images" ? open : closed;
  return { areas: [open, closed], areaOf };
}

/** A picture that goes while it is looked at is no fault. */
async function compare(
  area: Area,
  picture: queries.KeptPicture,
  onFault: Told["onFault"],
): Promise<void> {
  const faults = await faultsOf(area, picture);
  const gone = faults.length > 0 && !(await area.named([picture.key])).has(picture.key);
  if (!gone) faults.forEach(onFault);
}

async function faultsOf({ area, store }: Area, picture: queries.KeptPicture): Promise<Fault[]> {
  const { key, widths, avifWidths, movingWidths } = picture;
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
  const fault = await faultOfOriginal(store, picture);
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

async function faultOfOriginal(store: ImageStore, { key, bytes, id }: queries.KeptPicture) {
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

/** Files that lie there for an hour: younger ones may be on their way to a row. */
async function findUnnamed({ area, store, named }: Area, onFault: Told["onFault"]): Promise<void> {
  const told = new Set<string>();
  for await (const keys of store.list(new Date(Date.now() - unclaimedForMs))) {
    const used = await named(keys);
    for (const key of keys) {
      if (used.has(key) || told.has(key)) continue;
      if (told.size < mostRemembered) told.add(key);
      onFault({ fault: "orphan", area, key, file: null });
    }
  }
}
