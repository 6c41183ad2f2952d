import { query } from "../support/installation.ts";
import { enter, signUp } from "../support/members.ts";
import { startPostcard } from "../support/postcard-server.ts";
import { guide, pageOf, type Tour } from "./guide.ts";

/** An installation on which nobody is yet, and what its first member sees: on a server of its own. */
export async function firstDay(tour: Tour, missed: string[]): Promise<void> {
  const server = await startPostcard();
  try {
    const baseURL = server.url;
    const passing = await tour.browse({ baseURL });
    const door = await pageOf(passing);
    await guide(door, tour.camera, missed)("door-empty", () => door.goto("/"));
    const first = await signUp(baseURL, { firstName: "Nora", secondName: "Lindqvist" });
    await query(baseURL, "update accounts set role = 'operator' where id = $1", [first.id]);
    const staying = await tour.browse({ baseURL });
    await enter(staying, baseURL, first);
    const page = await pageOf(staying);
    await guide(page, tour.camera, missed)("first-day", () => page.goto("/"));
    await Promise.all([passing.close(), staying.close()]);
  } finally {
    await server.stop();
  }
}

/** A phone held sideways, and one whose reader has letters twice as large. */
export async function otherWindows(tour: Tour, missed: string[]): Promise<void> {
  const { staged, url } = tour;
  const context = await tour.browse();
  await enter(context, url, staged.nora);
  const page = await pageOf(context);
  if ((page.viewportSize()?.width ?? 0) < 600) {
    const see = guide(page, tour.camera, missed);
    const large = async (path: string) => {
      await page.goto(path);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
        window.dispatchEvent(new Event("resize"));
      });
    };
    await see("large-letters-home", () => large("/"));
    await see("large-letters-post", () => large(staged.talked));
    await see("large-letters-composer", () => large("/upload"));
    await page.setViewportSize({ width: 844, height: 390 });
    await see("sideways-home", () => page.goto("/"));
    await see("sideways-post", () => page.goto(staged.talked));
  }
  await context.close();
}
