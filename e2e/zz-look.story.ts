import { follow, postSet, post, signUp } from "./support/members.ts";
import { plainPhoto, phonePhoto } from "./support/photos.ts";
import { desktop, phone, test } from "./support/stories.ts";
for (const [name, viewport] of Object.entries({ phone, desktop }))
  for (const theme of ["light", "synthwave"] as const)
    test(`look ${name} ${theme}`, async ({ open, postcard }) => {
      const ana = await signUp(postcard, { firstName: "Ana", secondName: "Amend" });
      const bob = await signUp(postcard, { firstName: "Bob", secondName: "Browse" });
      await follow(postcard, bob, ana);
      const path = await postSet(postcard, ana, { photos: [{ photo: await phonePhoto(), alt: "A place" }, { photo: await plainPhoto("#2e7a3a", 600, 900), alt: "" }], caption: "Teh sea, far away" });
      const page = await open(ana, { viewport, theme });
      const shot = (n: string, p = page) => p.screenshot({ path: `/tmp/look-${name}-${theme}-${n}.png` });
      await page.goto(`${path}/edit`);
      await page.getByLabel("Caption").fill("The sea, far away");
      await page.getByLabel("Add a photo").setInputFiles(await plainPhoto("#2e3a7a", 600, 600));
      await page.getByLabel("Describe photo 3").fill("Blue");
      await page.getByLabel("Remove photo 2").check();
      await page.screenshot({ path: `/tmp/look-${name}-${theme}-edit.png`, fullPage: true });
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL(path);
      await page.getByRole("button", { name: /^Options/ }).click();
      await shot("post");
      await page.goto(`${path}/versions`);
      await shot("versions");
      await post(postcard, ana, { caption: "Just words" });
      const b = await open(bob, { viewport, theme });
      await b.goto("/");
      await b.getByRole("button", { name: /^Options/ }).first().click();
      await shot("home", b);
    });
