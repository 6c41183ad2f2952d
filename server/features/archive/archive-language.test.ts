import { expect, test } from "vitest";
import { archiveTest, contentsOf } from "#server/test/archives.ts";
import type { Viewer } from "#shared/views.ts";

const { on, archives } = await archiveTest({ languages: ["de", "ar", "en"] });

async function pageOf(viewer: Viewer): Promise<string> {
  const files = await contentsOf(await archives.exported(viewer));
  return String(files.get("index.html"));
}

test("the pages of an archive are in the language that its owner chose", async () => {
  const ada = await on.member("Ada Arabic");
  const photo = await on.photoPost(ada, "Tide", ["Boats"]);
  for (const nth of ["one", "two", "three"]) await on.comments.add(ada, photo, nth, null);
  await on.settings.changeLanguage(ada, "ar");
  const page = await pageOf(ada);
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toMatch(/<p class="quiet">\d+ \S+ 20\d\d · لا إعجابات · 3 تعليقات<\/p>/);
  expect(page).toContain("<span>الصفحة 1 من 1</span>");
});

test("they are in the site's first language where their owner chose none of its languages", async () => {
  const bea = await on.member("Bea Anywhere");
  const page = await pageOf(bea);
  expect(page).toContain('<html lang="de" dir="ltr">');
  expect(page).toContain("0 Beiträge · 0 Follower · 0 gefolgt. Geschrieben am ");
  expect(page).toContain("Noch keine Beiträge.");
});
