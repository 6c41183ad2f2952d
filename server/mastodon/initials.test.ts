import sharp from "sharp";
import { expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { createInitials, drawnInitials, initialsPath } from "#server/mastodon/initials.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { initialsColours, initialsColourIndex } from "#shared/initials.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);

test.each([
  ["Ada Lovelace", "AL"],
  ["wide_world", "WW"],
  ["x", "X"],
  ["user_1234", "U1"],
  ["Élodie Ångström", "EA"],
  ["Ø Łukasz", "ØŁ"],
  ["straße ßen", "SS"],
  ["Анна Жукова", "AЖ"],
  ["Ёлка Йодль", "EЙ"],
  ["Ωμέγα Άλφα", "ΩA"],
  ["e\u0301va o\u0308rn", "EO"],
  ["👩‍👩‍👧‍👦 Family", "F"],
  ["👩‍👩‍👧‍👦", ""],
  ["ליאם בן־דוד", ""],
  ["محمد", ""],
  ["山田 太郎", ""],
  ["김 Kim", "K"],
  ["__", ""],
  ["🅰 constructor", "C"],
  ["<b> &amp;", ""],
  [`${"e".concat("\u0301".repeat(900))} x`, "EX"],
])("%.60s is drawn as %j", (name, initials) => {
  expect(drawnInitials(name)).toBe(initials);
});

/** The share of the image that isn't background, and the background. */
async function looked(image: Buffer) {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixel = (at: number) => data.subarray(at * 3, at * 3 + 3).toString("hex");
  const ground = pixel(0);
  let inked = 0;
  for (let at = 0; at < info.width * info.height; at += 1) if (pixel(at) !== ground) inked += 1;
  return { ...info, ground, share: inked / (info.width * info.height) };
}

test("glyphs and the silhouette are drawn, on the colour of the name, without any font", async () => {
  const initials = createInitials();
  const grounds = new Map<number, Set<string>>();
  for (const name of ["Ada Lovelace", "I", "Wide World", "山田", "👋", "Zoe Q", "Cleo", "Bo B"]) {
    const { width, height, channels, ground, share } = await looked(await initials(name));
    expect([width, height, channels]).toEqual([400, 400, 3]);
    expect(share, name).toBeGreaterThan(0.01);
    expect(share, name).toBeLessThan(0.5);
    const tone = initialsColourIndex(name);
    grounds.set(tone, (grounds.get(tone) ?? new Set()).add(ground));
  }
  expect(grounds.size).toBeGreaterThan(2);
  for (const [tone, seen] of grounds) expect(seen.size, initialsColours[tone]).toBe(1);
  expect(await initials("Ada Lovelace")).not.toEqual(await initials("Ada Byron"));
});

test("an image is drawn once, however often it is asked for, and few wait at once", async () => {
  const initials = createInitials();
  expect(initials("Ada Lovelace")).toBe(initials("Ada Lovelace"));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const ask = () => letters.flatMap((one) => letters.map((two) => initials(`${one} ${two}`)));
  expect(ask).toThrow(expect.objectContaining({ code: "busy" }));
});

const get = async (url: string) => {
  const { statusCode, headers, rawPayload } = await app.inject({ url });
  return { statusCode, headers, rawPayload };
};

test("it has an address that changes with the name, and goes with the account", async () => {
  const ada = await features.member("Ada Lovelace");
  const id = decimalOf(ada.id);
  const path = initialsPath(id, "Ada Lovelace");
  const first = await get(path);
  expect([first.statusCode, first.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(first.headers["cache-control"]).toContain("immutable");
  // Pages of other origins show it.
  expect(first.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  await features.profiles.update(ada, { displayName: "Zoe Zander" });
  const after = await get(path);
  expect(after.statusCode).toBe(200);
  expect(after.headers["cache-control"]).toBe("public, max-age=300");
  expect(after.rawPayload).not.toEqual(first.rawPayload);
  const now = await get(initialsPath(id, "Zoe Zander"));
  expect(now.rawPayload).toEqual(after.rawPayload);
  expect(now.headers["cache-control"]).toContain("immutable");
  for (const column of ["suspended_at", "deleted_at"] as const) {
    const set = (at: Date | null) =>
      db.query(sql`update accounts set ${sql.ref(column)} = ${at} where id = ${ada.id}`);
    await set(new Date());
    const gone = await get(path);
    expect([gone.statusCode, gone.headers["cache-control"]]).toEqual([404, "no-store"]);
    await set(null);
  }
});

test.each([
  "/initials/0/aaaaaaaaaa.png",
  "/initials/nothing/aaaaaaaaaa.png",
  "/initials/1234567890123456789/aaaaaaaaaa.png",
  "/initials/1234567890123456789/a.png",
  "/initials/1234567890123456789/aaaaaaaaaa.svg",
  "/initials/%00/aaaaaaaaaa.png",
])("%s is not found", async (url) => {
  expect((await app.inject({ url })).statusCode).toBe(404);
});
