import { expect, test } from "vitest";
import { takenAt } from "#shared/exports/photo-post.ts";

/** A photo of these bytes, and how many of them were asked for. */
function photo(bytes: string) {
  const asked: number[] = [];
  const head = (_name: string, most: number) => {
    asked.push(most);
    return Promise.resolve(Uint8Array.from(bytes.slice(0, most), (each) => each.charCodeAt(0)));
  };
  return { asked, head, zone: "UTC" };
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
  expect(at((await takenAt(photo(bytes), name)).time)).toBe(time);
});

test("a name that says the day goes before what is behind the picture, as it did when keys were stored", async () => {
  const { asked, ...zip } = photo(`RIFF${pixels}EXIF${dates}`);
  const { time } = await takenAt(zip, "IMG_20190503_101500.webp");
  expect(at(time)).toBe("2019-05-03T10:15:00.000Z");
  expect(asked).toEqual([64 * 1024]);
});

const summer = "Exif\0\0 2018:07:01 10:20:30\0";
const clock = "2018-07-01T10:20:30.000Z";
test.each([
  [
    "that its camera knew",
    `${summer} +05:30\0 +05:30\0`,
    "Europe/Berlin",
    "2018-07-01T04:50:30.000Z",
  ],
  [
    "when it was taken, not changed",
    `${summer} +01:00\0 -03:00\0 -03:00\0`,
    "UTC",
    "2018-07-01T13:20:30.000Z",
  ],
  ["of the device in summer", summer, "Europe/Berlin", "2018-07-01T08:20:30.000Z"],
  ["of the device, by half an hour", summer, "Asia/Kathmandu", "2018-07-01T04:35:30.000Z"],
  ["of nobody", summer, "UTC", clock],
  [
    "of the device, whatever looks like one",
    `${summer} +99:00\0 1+02:00\0`,
    "America/New_York",
    "2018-07-01T14:20:30.000Z",
  ],
])(
  "a photo's clock is of the zone %s, and its key the same in all",
  async (_whose, bytes, zone, time) => {
    const taken = await takenAt({ ...photo(bytes), zone }, "a.jpg");
    expect([at(taken.time), at(taken.keyTime)]).toEqual([time, clock]);
  },
);

test.each([
  ["2019:03:31 01:59:59", "2019-03-31T00:59:59.000Z"],
  ["2019:03:31 03:00:00", "2019-03-31T01:00:00.000Z"],
  ["2019:10:27 00:30:00", "2019-10-26T22:30:00.000Z"],
  ["2019:10:27 03:30:00", "2019-10-27T02:30:00.000Z"],
])("around a change of clocks %s is the moment that it was", async (taken, time) => {
  const zip = { ...photo(`Exif\0\0${taken}\0`), zone: "Europe/Berlin" };
  expect(at((await takenAt(zip, "a.jpg")).time)).toBe(time);
});
