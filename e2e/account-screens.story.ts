import { AxeBuilder } from "@axe-core/playwright";
import { addMember } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

test("axe finds nothing on the form of the profile, its dialog and the settings, in either theme", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Alma", secondName: "Accessible" });
  for (const theme of ["light", "synthwave"] as const) {
    for (const viewport of [phone, desktop]) {
      const page = await open(member, { theme, viewport, reducedMotion: "reduce" });
      const found = async () => {
        const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
        return violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`);
      };
      for (const path of ["/settings", "/profile", "/profile/edit"]) {
        await page.goto(path);
        expect(await found(), `${path} ${theme}`).toEqual([]);
        await expectNoSidewaysScroll(page);
      }
      await page.getByLabel("First name").fill("");
      await page.getByRole("button", { name: "Save Changes" }).click();
      await page.getByRole("button", { name: /^(Add|Change) website$/ }).click();
      await page.getByRole("textbox", { name: "Address" }).fill("nowhere");
      await page.keyboard.press("Enter");
      await expect(page.getByText("Invalid URL")).toBeVisible();
      expect(await found(), `the dialog, ${theme}`).toEqual([]);
    }
  }
});

test("odd names, bios and links are shown as they were written and break no layout", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Odd", secondName: "Words" });
  const page = await open(member);
  const oddities = [
    { firstName: "<script>alert(1)</script>", secondName: "<b>", bio: "<img src=x onerror=a()>" },
    { firstName: "\u202eright to left", secondName: "שלום", bio: "نور الهدى ".repeat(40) },
    { firstName: "👨‍👩‍👧‍👦".repeat(20), secondName: "🏳️‍🌈".repeat(20), bio: "👨‍👩‍👧‍👦".repeat(500) },
    { firstName: "W".repeat(50), secondName: "i\u200bi".repeat(12), bio: "x".repeat(500) },
    { firstName: "Line", secondName: "Breaks", bio: "a\n\n\n".repeat(100).trim() },
  ];
  for (const words of oddities) {
    const website = `https://example.org/${"long".repeat(100)}`;
    const answer = await fetch(`${postcard}/calls/edit-profile`, {
      method: "POST",
      headers: { Origin: postcard, cookie: member.cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ ...words, website }),
    });
    expect(answer.status, words.firstName).toBe(204);
    for (const path of ["/profile", "/profile/edit", "/settings"]) {
      await page.goto(path);
      await expectNoSidewaysScroll(page);
    }
    await page.goto(`/search/${member.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      `${words.firstName} ${words.secondName}`,
    );
    await page.goto("/profile/edit");
    await expect(page.getByLabel("Bio")).toHaveValue(words.bio.trim());
  }
});
