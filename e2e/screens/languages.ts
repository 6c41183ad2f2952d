import { enter } from "../support/members.ts";
import { guide, pageOf, type Tour } from "./guide.ts";

/** The product in other languages; from right to left on a phone. */
export async function languages(tour: Tour, missed: string[]): Promise<void> {
  const { staged, url } = tour;
  const choosing = await tour.browse();
  await enter(choosing, url, staged.nora);
  const settings = await pageOf(choosing);
  await guide(
    settings,
    tour.camera,
    missed,
  )("settings-language", async () => {
    await settings.goto("/settings");
    await settings.getByLabel("You write in").scrollIntoViewIfNeeded();
  });
  await choosing.close();
  for (const locale of ["de", "ar"]) {
    const passing = await tour.browse({ locale });
    const door = await pageOf(passing);
    if (locale === "ar" && (door.viewportSize()?.width ?? 0) > 600) {
      await passing.close();
      continue;
    }
    await guide(door, tour.camera, missed)(`door-${locale}`, () => door.goto("/"));
    const staying = await tour.browse({ locale });
    await enter(staying, url, staged.nora);
    const page = await pageOf(staying);
    const see = guide(page, tour.camera, missed);
    await see(`home-${locale}`, () => page.goto("/"));
    await see(`post-${locale}`, () => page.goto(staged.talked));
    await see(`settings-${locale}`, () => page.goto("/settings"), { whole: true });
    await Promise.all([passing.close(), staying.close()]);
  }
}
