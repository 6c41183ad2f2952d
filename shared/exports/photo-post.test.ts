import { expect, test } from "vitest";
import { takenAt } from "#shared/exports/photo-post.ts";

/** A photo of these bytes, and how many of them were asked for. */
function photo(bytes: string) {
  const asked: number[] = [];
  const head = (_name: string, most: number) => {
    asked.push(most);
    return Promise.resolve(Uint8Array.from(bytes.slice(0, most), (each) => each.charCodeAt(0)));
  };
  return { asked, head };
}

const pixels = "x".repeat(100_000);
const dates = "2022:01:01 00:00:00\0 2018:07:01 10:20:30\0";
const at = (time: number) => (Number.isNaN(time) ? null : new Date(time).toISOString());

test.each([
  ["in its first bytes", `\xff\xd8Exif\0\0${dates}${pixels}`, "a.jpg", "2018-07-01T10:20:30.000Z"],
  ["behind the picture", `RIFF${pixels}EXIF${dates}`, "a.webp", "2018-07-01T10:20:30.000Z"],
  ["by its name", `RIFF${pixels}`, "IMG_20190503_101500.webp", "2019-05-03T10:15:00.000Z"],
  ["nowhere", pixels, "a.jpg", null],
])("the day of a photo is found %s", async (_where, bytes, name, time) => {
  expect(at(await takenAt(photo(bytes), name))).toBe(time);
});

test("a name that says the day goes before what is behind the picture, as it did when keys were stored", async () => {
  const { head, asked } = photo(`RIFF${pixels}EXIF${dates}`);
  expect(at(await takenAt({ head }, "IMG_20190503_101500.webp"))).toBe("2019-05-03T10:15:00.000Z");
  expect(asked).toEqual([64 * 1024]);
});
