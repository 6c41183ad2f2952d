import { beforeEach, describe, expect, test } from "vitest";
import { builtScreens, testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { deviceOf, type Device } from "#server/test/device-imports.ts";
import type { Viewer } from "#shared/views.ts";

const languages = ["en", "de"];
const { db } = await freshDatabase();
const screens = await builtScreens(languages);
const app = await testApp(db, { languages }, { screens });
const { features: on, call } = app;
const day = Date.UTC(2015, 6, 1);
const report = (viewer: Viewer | null) => call(viewer, "GET", "/settings/data/import-report");

let ada: Viewer, eve: Viewer;
let device: Device;
beforeEach(async () => {
  [ada, eve] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  device = deviceOf(app, ada, Buffer.alloc(0));
});

/** One of three came, one was here, one is left out. */
async function bring(): Promise<string> {
  const id = await device.begin({ posts: 3 });
  await device.post(id, { key: 1, time: day, caption: "came" });
  await device.end(id, {
    skipped: ["The post of July 1, 2015 was left out:\n- 9 other posts"],
    leftOut: ["2 videos: Postcard has photos and words"],
    known: 1,
  });
  return id;
}

describe("the report of an import", () => {
  test("says in a text file what came, and what was left out and why", async () => {
    const open = await device.begin({ posts: 3 });
    await device.post(open, { key: 2, time: day, caption: "earlier" });
    expect((await report(ada)).body).toContain("It isn't finished: 1 of 3 posts so far.\n");
    await device.end(open, {});
    const id = await bring();
    const { headers, body } = await report(ada);
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="import-report.txt"',
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-store",
    });
    expect(body.split("\n").slice(1)).toEqual([
      "",
      "1 of 3 posts imported. 1 was here already. 1 was left out.",
      "",
      "What does not come over:",
      "- 2 videos: Postcard has photos and words",
      "",
      "What was left out:",
      "- The post of July 1, 2015 was left out: - 9 other posts",
      "",
    ]);
    expect(body).toMatch(/^Import of \w+ \d+, \d{4}\n/);
    await on.imports.undo(ada, id);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect((await report(ada)).body).toContain("It was undone: 1 of its posts were removed.\n");
  });

  test("is in the language of its reader", async () => {
    await bring();
    await on.settings.changeLanguages(ada, { language: "de" });
    const { body } = await report(ada);
    expect(body).toContain(
      "1 von 3 Beiträgen importiert. 1 war schon hier. 1 wurde ausgelassen.\n",
    );
    expect(body).toContain("Was nicht mitkommt:\n- 2 Videos: Postcard hat Fotos und Worte\n");
    expect(body).toMatch(/^Import vom \d+\. [A-Z]\S+ \d{4}\n/);
  });

  test("is nobody else's", async () => {
    await bring();
    expect((await report(null)).statusCode).toBe(401);
    expect((await report(eve)).statusCode).toBe(404);
  });
});
