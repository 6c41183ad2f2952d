import { comment } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post, type Member } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

async function people(url: string): Promise<{ ana: Member; bob: Member }> {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Avoids" });
  const bob = await addMember(url, { firstName: "Bob", secondName: "Blabs" });
  await follow(url, ana, bob);
  return { ana, bob };
}

for (const [name, viewport] of Object.entries({ phone, desktop })) {
  for (const scripts of [true, false]) {
    test(`on a ${name} ${scripts ? "with" : "without"} scripts: a member mutes a word, reads on without it, and takes it back`, async ({
      open,
      postcard,
    }) => {
      const { ana, bob } = await people(postcard);
      await post(postcard, bob, { caption: "The SPÓILER of the week" });
      const path = await post(postcard, bob, { caption: "Good morning" });
      await comment(postcard, bob, path, "It's a spoiler, but they marry.");
      const own = await post(postcard, ana, { caption: "What do you think?" });
      await comment(postcard, bob, own, "I think: spoiler!");

      const page = await open(ana, {
        viewport,
        javaScriptEnabled: scripts,
        expects: /status of 400/,
      });
      await page.goto("/settings");
      await page.getByRole("link", { name: "Muted words" }).click();
      await expect(page.getByText("You haven't muted any words")).toBeVisible();
      if (scripts) expect(await axeFinds(page)).toEqual([]);
      const field = page.getByLabel("Word or phrase");
      const mute = page.getByRole("button", { name: "Mute", exact: true });
      await mute.click();
      await expect(page.getByText("required*")).toBeVisible();
      await field.fill("x".repeat(70));
      await mute.click();
      await expect(page.getByText("this is 10 too many")).toBeVisible();
      await expect(field).toHaveValue("x".repeat(70));
      await field.fill("Spoiler");
      await mute.click();
      const unmute = page.getByRole("button", { name: "Unmute Spoiler" });
      await expect(unmute).toBeVisible();
      await expect(field).toHaveValue("");
      await expect(page.getByRole("heading", { name: "1 of 100" })).toBeVisible();
      if (scripts) expect(await axeFinds(page)).toEqual([]);
      await expectNoSidewaysScroll(page);

      await page.goto("/");
      await expect(page.getByText("Good morning")).toBeVisible();
      await expect(page.getByText("of the week")).toHaveCount(0);
      await expect(page.getByText("they marry")).toHaveCount(0);
      await page.goto("/notifications");
      await expect(page.getByText("I think: spoiler!")).toHaveCount(0);
      // In a thread it is hidden behind a notice.
      await page.goto(path);
      const words = page.getByText("It's a spoiler, but they marry.");
      await expect(words).toBeHidden();
      if (scripts) expect(await axeFinds(page)).toEqual([]);
      await page.getByText("Has “Spoiler”, which you muted").click();
      await expect(words).toBeVisible();
      await expectNoSidewaysScroll(page);
      // On an account's profile everything it posts is shown.
      await page.goto(`/search/${bob.id}?tab=texts`);
      await expect(page.getByText("of the week")).toBeVisible();

      await page.goto("/settings/words");
      await unmute.click();
      await expect(page.getByText("You haven't muted any words")).toBeVisible();
      await page.goto("/");
      await expect(page.getByText("of the week")).toBeVisible();
    });
  }
}

test("a word typed while Postcard is away stays in its field", async ({ open, postcard }) => {
  const { ana } = await people(postcard);
  const page = await open(ana, { expects: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });
  await page.goto("/settings/words");
  await page.context().setOffline(true);
  const field = page.getByLabel("Word or phrase");
  await field.fill("spoiler");
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(page.getByText("We couldn't reach Postcard")).toBeVisible();
  await expect(field).toHaveValue("spoiler");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await expect(page.getByRole("button", { name: "Unmute spoiler" })).toBeVisible();
});
