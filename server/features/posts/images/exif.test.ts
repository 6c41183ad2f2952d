import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { noDetails, readExif } from "#server/features/posts/images/exif.ts";
import { renderImage } from "#server/features/posts/images/render.ts";
import { plain } from "#server/test/images.ts";
import { samplePhoto } from "#server/test/sample-photos.ts";
import { cameraLine, locationFacts, type CameraView } from "#shared/photo-details.ts";

type Exif = Parameters<ReturnType<typeof plain>["withExif"]>[0];

/** The EXIF block of a photo with these entries. */
async function blockOf(exif: Exif): Promise<Buffer> {
  const photo = await plain(8, 8, [9, 9, 9]).withExif(exif).jpeg().toBuffer();
  return (await sharp(photo).metadata()).exif ?? Buffer.alloc(0);
}

const whole: Exif = {
  IFD0: { Make: "Canon", Model: "Canon EOS R5" },
  IFD2: {
    LensModel: "RF 24-70mm F2.8",
    FocalLength: "350/10",
    FocalLengthIn35mmFilm: "35",
    FNumber: "28/10",
    ExposureTime: "1/125",
    ISOSpeedRatings: "400",
    DateTimeOriginal: "2024:05:01 18:30:00",
  },
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 52/1 1234/100",
    GPSLongitudeRef: "W",
    GPSLongitude: "70/1 30/1 0/1",
  },
};

const read = {
  model: "Canon EOS R5",
  lens: "RF 24-70mm F2.8",
  focalLength: 35,
  focalLength35: 35,
  aperture: 2.8,
  exposureTime: 0.008,
  iso: 400,
  takenAt: "2024-05-01T18:30:00",
};

/** With plain spaces. */
const line = (camera: CameraView) => cameraLine(camera).replaceAll("\u{a0}", " ");

describe("camera data", () => {
  test("is read, and the location rounded to a hundredth of a degree", async () => {
    expect(readExif(await blockOf(whole))).toEqual({
      camera: read,
      location: { latitude: -3387, longitude: -7050 },
    });
  });

  test("is described in one line", () => {
    expect(line(read)).toBe("Canon EOS R5 · 35 mm · f/2.8 · 1/125 s · ISO 400");
    const phone = { model: "Apple iPhone 12", exposureTime: 2.5, focalLength: 4.2 };
    expect(line({ ...phone, focalLength35: 26, iso: 32 })).toBe(
      "iPhone 12 · 26 mm · 2.5 s · ISO 32",
    );
    expect(line({ focalLength: 4.25, lens: "A lens" })).toBe("A lens · 4.3 mm");
    expect(line({ takenAt: "2024-05-01T18:30:00" })).toBe("");
    expect(locationFacts({ latitude: -33.87, longitude: 70.5 })).toEqual({
      text: "33.87° S, 70.50° E",
      href: "https://www.openstreetmap.org/?mlat=-33.87&mlon=70.50#map=12/-33.87/70.50",
    });
  });

  test.each<[string, Exif, object]>([
    ["no known fields", { IFD0: { Software: "a program" } }, noDetails],
    [
      "a maker that the model does not name",
      { IFD0: { Make: "NIKON CORPORATION", Model: "Z 9" } },
      { camera: { model: "NIKON CORPORATION Z 9" }, location: null },
    ],
    [
      "control characters and an endless name",
      { IFD0: { Model: `a\u202E\nb\u0007${"c".repeat(5000)}` } },
      { camera: { model: expect.stringMatching(/^a[?]?b ?c{100,120}$/) }, location: null },
    ],
    [
      "fractions of zero and nonsense numbers",
      {
        IFD2: {
          FNumber: "28/0",
          ExposureTime: "0/0",
          FocalLength: "4000000000/1",
          ISOSpeedRatings: "0",
          DateTimeOriginal: "2024:13:45 99:00:00",
        },
      },
      noDetails,
    ],
    ["a day in the future", { IFD2: { DateTimeOriginal: "9999:01:01 00:00:00" } }, noDetails],
    [
      "a location off the earth",
      {
        IFD3: {
          GPSLatitudeRef: "N",
          GPSLatitude: "91/1 0/1 0/1",
          GPSLongitudeRef: "E",
          GPSLongitude: "8/1 0/1 0/1",
        },
      },
      noDetails,
    ],
    [
      "the location of a camera that does not know it",
      {
        IFD3: {
          GPSLatitudeRef: "N",
          GPSLatitude: "0/1 0/1 0/1",
          GPSLongitudeRef: "E",
          GPSLongitude: "0/1 0/1 0/1",
        },
      },
      noDetails,
    ],
  ])("leaves out %s", async (_what, exif, expected) => {
    expect(readExif(await blockOf(exif))).toEqual(expected);
  });

  test("broken in any byte, or cut anywhere, affects nothing but itself", async () => {
    const block = await blockOf(whole);
    for (let at = 0; at < block.length; at += 1) {
      readExif(block.subarray(0, at));
      for (const value of [0, 0xff]) {
        const broken = Buffer.from(block);
        broken[at] = value;
        const { camera, location } = readExif(broken);
        expect(JSON.stringify(camera).length).toBeLessThan(1000);
        expect(Math.abs(location?.latitude ?? 0)).toBeLessThanOrEqual(9000);
        expect(Math.abs(location?.longitude ?? 0)).toBeLessThanOrEqual(18_000);
      }
    }
  });

  test("is not read from more bytes than a camera writes, or from directories that name themselves", () => {
    const endless = Buffer.alloc(100_000, 0xff);
    // little-endian, its first directory at 8: 65,535 entries, each pointing at the directory itself
    endless.write("II*\0", 0, "latin1");
    endless.writeUInt32LE(8, 4);
    for (let at = 10; at + 12 < endless.length; at += 12) {
      endless.writeUInt16LE(0x87_69, at);
      endless.writeUInt16LE(4, at + 2);
      endless.writeUInt32LE(1, at + 4);
      endless.writeUInt32LE(8, at + 8);
    }
    expect(readExif(endless)).toEqual(noDetails);
    expect(readExif(Buffer.alloc(1024 * 1024))).toEqual(noDetails);
    expect(readExif(undefined)).toEqual(noDetails);
  });
});

const turn = { deadline: performance.now() + 600_000, charge: () => undefined };

test.skipIf(!samplePhoto("phone.heic")).each([
  ["gps-1.jpg", { model: expect.any(String) }, true],
  ["phone.heic", { model: expect.any(String) }, null],
] as const)("of %s it is read, HEIC included", async (name, camera, placed) => {
  const { details } = await renderImage(samplePhoto(name), turn);
  expect(details.camera).toMatchObject(camera);
  if (placed !== null) expect(details.location !== null).toBe(placed);
});
