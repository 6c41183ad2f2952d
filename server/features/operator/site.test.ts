import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createSite } from "#server/features/operator/site.ts";
import { createOperatorSettings } from "#server/features/operator/operator-settings.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testApp } from "#server/test/app.ts";

let db: Database;

beforeAll(async () => {
  ({ db } = await freshDatabase());
});

test("a site is what the operator set, read once for pages that load at the same time", async () => {
  const settings = createOperatorSettings({ db });
  await settings.set("site-name", "Harbour Street");
  await settings.set("site-line", "Photos from one street.");
  await settings.set("sign-up", "invitation");
  let reads = 0;
  const counted: typeof settings.getAll = async (names) => {
    reads += 1;
    return settings.getAll(names);
  };
  const site = createSite({ settings: { getAll: counted } });
  const harbour = {
    name: "Harbour Street",
    line: "Photos from one street.",
    signUp: "invitation",
  };
  expect(await Promise.all([site(), site(), site()])).toEqual([harbour, harbour, harbour]);
  expect(reads).toBe(1);
});

test("pages have a name while the database does not respond", async () => {
  const settings = { getAll: async () => Promise.reject(new Error("away")) };
  expect((await createSite({ settings })()).name).toBe("Postcard");
});

test("the manifest has its name", async () => {
  const { app, features } = await testApp(db);
  await features.operatorSettings.set("site-name", "Harbour <Street>");
  const answer = await app.inject({ url: "/manifest.webmanifest" });
  expect(answer.headers["content-type"]).toContain("application/manifest+json");
  expect(answer.json()).toMatchObject({
    name: "Harbour <Street>",
    short_name: "Harbour <Street>",
    start_url: "/",
    icons: expect.arrayContaining([expect.objectContaining({ sizes: "512x512" })]),
  });
});
