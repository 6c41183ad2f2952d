import { apiPath } from "../support/acts.ts";
import { send } from "../support/audiences.ts";
import { makeCollection } from "../support/guests.ts";
import { enter } from "../support/members.ts";
import { guide, pageOf, type Tour } from "./guide.ts";

const title = "Walks for a Sunday";

/** Some of the town's photos under one title. */
export async function collections(tour: Tour, missed: string[]): Promise<void> {
  const { staged, url } = tour;
  const context = await tour.browse();
  await enter(context, url, staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("collection", async () => {
    await page.goto("/saved/collections");
    const there = page.getByRole("link", { name: title });
    if ((await there.count()) === 0) {
      const collection = await makeCollection(url, staged.nora, title);
      await page.goto("/search");
      const found = page.locator("main a[href^='/post/']:has(img)");
      const paths = await found.evaluateAll((links) =>
        links.map((link) => link.getAttribute("href")),
      );
      for (const path of [staged.talked, ...new Set(paths)].slice(0, 8)) {
        if (path === null) continue;
        await send(url, staged.nora, "PUT", `${apiPath(path)}/save`);
        const into = { collections: [collection] };
        await send(url, staged.nora, "PUT", `${apiPath(path)}/collections`, into);
      }
      await page.goto("/saved/collections");
    }
    await there.first().click();
    await page.getByRole("heading", { name: title }).waitFor();
    await page.mouse.move(0, 0);
  });
  await see("add-to-collection", () => page.goto(`${staged.talked}/collections`));
  await context.close();
}
