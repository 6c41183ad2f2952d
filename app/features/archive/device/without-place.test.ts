import sharp from "sharp";
import { expect, test } from "vitest";
import { withoutPlace } from "#app/features/archive/device/without-place.ts";
import { readExif } from "#server/features/posts/images/exif.ts";

const exif = {
  IFD0: { Make: "Leica", Model: "Q2", DateTime: "2022:01:01 00:00:00" },
  IFD2: { DateTimeOriginal: "2018:07:01 10:20:30" },
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 52/1 1234/100",
    GPSLongitudeRef: "W",
    GPSLongitude: "70/1 30/1 0/1",
  },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
exif:GPSLatitude="33,52.2S" dc:title="Lake"><exif:GPSLongitude>70,30.0W</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>`;

const photo = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } })
    .withExif(exif)
    .withXmp(xmp);
const cleaned = async (bytes: Uint8Array, type = "image/jpeg") => {
  const blob = await withoutPlace(new Blob([new Uint8Array(bytes)], { type }));
  return { type: blob.type, bytes: Buffer.from(await blob.arrayBuffer()) };
};

test.each([
  ["JPEG", () => photo().jpeg().toBuffer()],
  ["WebP", () => photo().webp().toBuffer()],
  ["AVIF, which has it as HEIC does", () => photo().avif({ effort: 0 }).toBuffer()],
])("a %s says nowhere where it was taken, and all else as before", async (_, encode) => {
  const original = await encode();
  const before = readExif((await sharp(original).metadata()).exif);
  expect(before).toMatchObject({ location: { latitude: -3387 }, camera: { model: "Leica Q2" } });
  const { bytes } = await cleaned(original);
  expect(bytes).toHaveLength(original.length);
  const metadata = await sharp(bytes).metadata();
  expect(readExif(metadata.exif)).toEqual({ ...before, location: null });
  const said = bytes.toString("latin1");
  expect(said).not.toContain("33,52");
  expect(said).not.toContain("70,30");
  expect(said).toContain("Lake");
  expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer());
});

test("a place far behind the beginning is found, also where two searched pieces meet", async () => {
  const said = 'exif:GPSLatitude="33,52.2S"';
  for (const at of [1024 * 1024 - 10, 2 * 1024 * 1024 + 3]) {
    const { bytes } = await cleaned(Buffer.concat([Buffer.alloc(at), Buffer.from(said)]));
    expect(bytes.subarray(at).toString()).toBe('exif:GPSLatitude="        "');
  }
});

test("a photo of a camera with its highest byte first loses its place, too", async () => {
  const block = Buffer.alloc(80);
  block.write("MM\0*", "latin1");
  block.writeUInt32BE(8, 4);
  block.writeUInt16BE(1, 8);
  block.set([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26], 10);
  block.writeUInt16BE(1, 26);
  block.set([0, 2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 48], 28);
  block.fill(7, 48, 72);
  const { bytes } = await cleaned(
    Buffer.concat([Buffer.from("\xff\xd8Exif\0\0", "latin1"), block]),
  );
  expect([...bytes.subarray(8 + 26, 8 + 72)].every((byte) => byte === 0)).toBe(true);
  expect(bytes.subarray(8, 8 + 26)).toEqual(block.subarray(0, 26));
});

test.each([
  ["no photo", Buffer.from("hello")],
  ["a PNG", Buffer.from("\x89PNG Exif\0\0II*\0", "latin1")],
  ["a block that ends", Buffer.from("\xff\xd8Exif\0\0II*\0\x08", "latin1")],
  ["a directory beyond the end", Buffer.from("\xff\xd8Exif\0\0II*\0\xff\xff\xff\xff", "latin1")],
  [
    "entries beyond the end",
    Buffer.from(
      "\xff\xd8Exif\0\0II*\0\x08\0\0\0\xff\xff\x25\x88\x04\0\x01\0\0\0\xff\xff\xff\x7f",
      "latin1",
    ),
  ],
])("%s stays as it is", async (_, bytes) => {
  expect(await cleaned(bytes, "image/x")).toEqual({ type: "image/x", bytes });
});
