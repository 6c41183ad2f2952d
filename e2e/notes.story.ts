import { addMember } from "./support/members.ts";
import { expect, test } from "./support/stories.ts";

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "" : ", without scripts too";
  test(`somebody is noted down on their profile, for oneself${how}`, async ({ open, postcard }) => {
    const ana = await addMember(postcard, { firstName: "Ana", secondName: "Abelard" });
    const bob = await addMember(postcard, { firstName: "Bob", secondName: "Brisket" });
    const page = await open(ana, { javaScriptEnabled, expects: /status of 400/ });
    await page.goto(`/search/${bob.id}`);
    const note = page.getByLabel("Your note about Bob Brisket");
    await page.getByText("Add a note").click();
    await note.fill("x".repeat(2001));
    await page.getByRole("button", { name: "Save note" }).click();
    await expect(page.getByText("this is 1 too many")).toBeVisible();
    await expect(note).toHaveValue("x".repeat(2001));
    await note.fill("From the harbour");
    // Folded and opened again, it has what was typed.
    const fold = page.getByText("(only you see it)");
    await fold.click();
    await expect(note).toBeHidden();
    await fold.click();
    await expect(note).toHaveValue("From the harbour");
    await page.getByRole("button", { name: "Save note" }).click();
    await expect(page.getByText("From the harbour").first()).toBeVisible();
    await expect(page.getByText("Your note", { exact: false }).first()).toBeVisible();

    const his = await open(bob, { javaScriptEnabled });
    await his.goto(`/search/${ana.id}`);
    await expect(his.getByText("Add a note")).toBeVisible();
    await expect(his.getByText("From the harbour")).toHaveCount(0);
  });
}
