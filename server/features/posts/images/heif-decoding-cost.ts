/** How much an AVIF or a HEIC has for a decoder to do, by its boxes alone (ISO/IEC 23008-12 and 14496-12). */
type HeifCost = {
  /** of the longest sequence in it */
  frames: number;
  /** pixels that must be decoded for its most expensive image; Infinity where that has no end */
  pixels: number;
  /** the extents that its items declare */
  bytes: number;
};

type Box = { type: string; from: number; to: number };
type Found = HeifCost & {
  /** width × height of each property, 0 for one that is not a size */
  sizes: number[];
  /** the properties of each item, counted from 1 */
  properties: [item: number, property: number][];
  /** what each derived image is put together from */
  parts: Map<number, number[]>;
};

/** Boxes that hold boxes, on the way to what is counted; the longest way is five of them. */
const containers = new Set(["meta", "iprp", "moov", "trak", "mdia", "minf", "stbl"]);
const deepest = 5;

/** More than any image has: they are kept in memory while they are read. */
const mostProperties = 100_000;

/** Broken files count as far as they can be read: the decoder refuses them. */
export function heifDecodingCost(file: Buffer): HeifCost {
  const found: Found = {
    frames: 0,
    pixels: 0,
    bytes: 0,
    sizes: [],
    properties: [],
    parts: new Map(),
  };
  walk(file, { type: "", from: 0, to: file.length }, found, deepest);
  const { frames, bytes } = found;
  return { frames, bytes, pixels: Math.max(found.pixels, mostExpensive(found)) };
}

function walk(file: Buffer, { from, to }: Box, found: Found, depth: number): void {
  for (const box of boxesOf(file, from, to)) {
    if (containers.has(box.type) && depth > 0) {
      const start = box.type === "meta" ? box.from + 4 : box.from;
      walk(file, { ...box, from: start }, found, depth - 1);
      continue;
    }
    try {
      readers[box.type]?.(file, box, found);
    } catch (error) {
      // It ends too early, and others come after it.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

const readers: Record<string, (file: Buffer, box: Box, found: Found) => void> = {
  ipco: readSizes,
  ipma: readProperties,
  iref: readParts,
  iloc: readExtents,
  stsz: readFrames,
};

function readFrames(file: Buffer, { from }: Box, found: Found): void {
  found.frames = Math.max(found.frames, file.readUInt32BE(from + 8));
}

function* boxesOf(file: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to;) {
    const [short, type] = [file.readUInt32BE(at), file.toString("latin1", at + 4, at + 8)];
    const head = short === 1 ? 16 : 8;
    const said = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;
    const size = said === 0 ? to - at : said;
    if (size < head) return;
    yield { type, from: at + head, to: Math.min(at + size, to) };
    at += size;
  }
}

function readSizes(file: Buffer, { from, to }: Box, { sizes }: Found): void {
  for (const { type, from: at } of boxesOf(file, from, to)) {
    sizes.push(type === "ispe" ? file.readUInt32BE(at + 4) * file.readUInt32BE(at + 8) : 0);
  }
}

function readProperties(file: Buffer, box: Box, found: Found): void {
  const read = reader(file, box);
  const [version, wide] = [read(1), (read(3) & 1) === 1];
  for (let items = read(4); items > 0; items -= 1) {
    const item = read(version < 1 ? 2 : 4);
    for (let uses = read(1); uses > 0; uses -= 1) {
      found.properties.push([item, wide ? read(2) & 0x7f_ff : read(1) & 0x7f]);
    }
    if (found.properties.length > mostProperties) {
      found.pixels = Infinity;
      return;
    }
  }
}

function readParts(file: Buffer, { from, to }: Box, found: Found): void {
  const bytes = file[from] === 0 ? 2 : 4;
  for (const box of boxesOf(file, from + 4, to)) {
    if (box.type !== "dimg") continue;
    const read = reader(file, box);
    const item = read(bytes);
    const parts = found.parts.get(item) ?? [];
    found.parts.set(item, parts);
    for (let count = read(2); count > 0; count -= 1) parts.push(read(bytes));
  }
}

function readExtents(file: Buffer, box: Box, found: Found): void {
  const read = reader(file, box);
  const [version, , lengths, bases] = [read(1), read(3), read(1), read(1)];
  const indexBytes = version > 0 ? bases & 15 : 0;
  for (let items = read(version < 2 ? 2 : 4); items > 0; items -= 1) {
    read((version < 2 ? 2 : 4) + (version > 0 ? 2 : 0) + 2 + (bases >> 4), true);
    for (let extents = read(2); extents > 0; extents -= 1) {
      read(indexBytes + (lengths >> 4), true);
      // no length given: all of it
      found.bytes += (lengths & 15) === 0 ? file.length : read(lengths & 15);
    }
  }
}

/**
 * Reads one number after another; RangeError at the end of the box. `skip` for numbers that are not needed.
 */
function reader(file: Buffer, { from, to }: Box) {
  let at = from;
  return (bytes: number, skip = false): number => {
    const start = at;
    at += bytes;
    if (at > to) throw new RangeError("beyond the end of a box");
    if (skip || bytes === 0) return 0;
    return bytes === 8 ? Number(file.readBigUInt64BE(start)) : file.readUIntBE(start, bytes);
  };
}

/** A tile that a grid names a hundred times is decoded a hundred times, and a grid may be a tile. */
function mostExpensive({ sizes, properties, parts }: Found): number {
  const own = new Map<number, number>();
  for (const [item, property] of properties) {
    own.set(item, Math.max(own.get(item) ?? 0, sizes[property - 1] ?? 0));
  }
  const known = new Map<number, number>();
  function costOf(item: number): number {
    const cost = known.get(item);
    if (cost !== undefined) return cost;
    // Until it is known: coming back here means a cycle.
    known.set(item, Infinity);
    const tiles = (parts.get(item) ?? []).reduce((sum, part) => sum + costOf(part), 0);
    const whole = Math.max(own.get(item) ?? 0, tiles);
    known.set(item, whole);
    return whole;
  }
  let most = 0;
  for (const item of [...own.keys(), ...parts.keys()]) most = Math.max(most, costOf(item));
  return most;
}
