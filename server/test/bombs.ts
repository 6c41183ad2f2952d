// Images that are small, say so in their headers, and keep a decoder busy all the same.
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { box, coded, heicSize, latin1, u16, u32 } from "#server/test/heic.ts";
import { twoFrames } from "#server/test/images.ts";

/** A grey progressive JPEG whose scans after the first change nothing (ITU-T T.81, annexes B and G). */
export function jpegOfScans(size: { width: number; height: number; scans: number }): Buffer {
  const { width, height, scans } = size;
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // One code for each kind of coefficient: a single 0 bit.
  const table = (kind: number, symbol: number) =>
    segment(0xc4, kind << 4, 1, ...Array<number>(15).fill(0), symbol);
  // Every block equals the previous one: one bit each.
  const first = Buffer.concat([
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
  ]);
  // EOB14 with all of its bits: nothing in the next 32,767 blocks.
  const bits = `0${"1".repeat(14)}`.repeat(Math.ceil(blocks / 32_767));
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) =>
    Number.parseInt(byte.padEnd(8, "1"), 2),
  );
  const nothing = Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
  const empty = Array.from({ length: scans - 1 }, (_, at) => {
    const coefficient = 1 + (at % 63);
    return Buffer.concat([segment(0xda, 1, 1, 0, coefficient, coefficient, 0), nothing]);
  });
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(1)),
    segment(0xc2, ...frame),
    table(0, 0),
    table(1, 0xe0),
    first,
    ...empty,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, ...body: number[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), u16(body.length + 2), Buffer.from(body)]);
}

/** A PNG with compressed texts of `bytes` zeros each. */
export async function pngOfTexts(texts: number, bytes = 7_900_000): Promise<Buffer> {
  const picture = { width: 64, height: 48, channels: 3, background: "red" } as const;
  const png = await sharp({ create: picture }).png().toBuffer();
  const packed = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const body = Buffer.concat([latin1("zTXtComment\0\0"), packed]);
  const text = Buffer.concat([u32(body.length - 4), body, u32(crc32(body))]);
  return Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(texts).fill(text), png.subarray(33)]);
}

/** A GIF with `frames` squares that claim a size and contain almost nothing. */
export function gifOf(size: { screen: number; frame: number; frames: number }): Buffer {
  const { screen, frame, frames } = size;
  const head = Buffer.alloc(19);
  head.write("GIF89a", 0, "latin1");
  head.writeUInt16LE(screen, 6);
  head.writeUInt16LE(screen, 8);
  head.writeUInt8(0x80, 10);
  const one = Buffer.from("21f9040000000000".concat("2c000000000000000000", "02024c0100"), "hex");
  one.writeUInt16LE(frame, 8 + 5);
  one.writeUInt16LE(frame, 8 + 7);
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(one), Buffer.from([0x3b])]);
}

/** An animated WebP whose last frame is repeated that many times. */
export async function webpOf(frames: number): Promise<Buffer> {
  const webp = await twoFrames("webp");
  const frame = webp.subarray(webp.indexOf("ANMF"));
  const again = frame.subarray(0, 8 + frame.readUInt32LE(4));
  return Buffer.concat([webp, ...Array<Buffer>(frames).fill(again)]);
}

type Grid = { rows: number; columns: number; width: number; height: number };
type Tile = { type: "av01" | "hvc1"; data: Buffer; config: Buffer; width: number; height: number };

/** An AVIF with sides of `side` pixels, used as a tile in grids. */
export async function avifTile(side: number): Promise<Tile> {
  const picture = { width: side, height: side, channels: 3, background: "teal" } as const;
  const avif = await sharp({ create: picture }).avif({ effort: 0 }).toBuffer();
  const boxAt = (type: string) => {
    const at = avif.indexOf(type) - 4;
    return avif.subarray(at, at + avif.readUInt32BE(at));
  };
  const data = boxAt("mdat").subarray(8);
  return { type: "av01", data, config: boxAt("av1C"), width: side, height: side };
}

export const heicTile: Tile = {
  type: "hvc1",
  data: Buffer.from(coded.picture, "base64"),
  config: box("hvcC", Buffer.from(coded.pictureConfig, "base64")),
  ...heicSize,
};

const size = ({ width, height }: { width: number; height: number }) =>
  box("ispe", u32(0), u32(width), u32(height));

/** An image composed of tiles that are all the same bytes of the file (ISO/IEC 23008-12, section 6.6.2.3). */
export function gridOf(tile: Tile, { rows, columns, width, height }: Grid): Buffer {
  const count = rows * columns;
  const grid = Buffer.concat([Buffer.from([0, 1, rows - 1, columns - 1]), u32(width), u32(height)]);
  // The image is the first item; the others are its tiles.
  const types = ["grid", ...Array<string>(count).fill(tile.type)];
  const tiles = Array.from({ length: count }, (_, at) => u16(at + 2));
  const properties = [size({ width, height }), size(tile), tile.config];
  const uses = tiles.flatMap((item) => [item, Buffer.from([2, 0x82, 0x83])]);
  const entries = types.map((type, at) =>
    box("infe", u32(0x02_00_00_00), u16(at + 1), u16(0), latin1(`${type}\0`)),
  );
  const meta = (from: number) => {
    const places = types.map((_, at) => {
      const [start, data] = at === 0 ? [from, grid] : [from + grid.length, tile.data];
      return Buffer.concat([u16(at + 1), u16(0), u16(1), u32(start), u32(data.length)]);
    });
    return box(
      "meta",
      u32(0),
      box("hdlr", u32(0), u32(0), latin1("pict"), Buffer.alloc(13)),
      box("pitm", u32(0), u16(1)),
      box("iinf", u32(0), u16(entries.length), ...entries),
      box("iloc", u32(0), Buffer.from([0x44, 0]), u16(places.length), ...places),
      box("iref", u32(0), box("dimg", u16(1), u16(count), ...tiles)),
      box(
        "iprp",
        box("ipco", ...properties),
        box("ipma", u32(0), u32(count + 1), u16(1), Buffer.from([1, 0x81]), ...uses),
      ),
    );
  };
  const brand = tile.type === "av01" ? "avif" : "heic";
  const head = box("ftyp", latin1(brand), u32(0), latin1(`mif1${brand}`));
  const start = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(start), box("mdat", grid, tile.data)]);
}
