import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

test("on a desktop a name and a tag are completed by keyboard, and lead where they say", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Anastasia", secondName: "Tagged" });
  const tom = await addMember(postcard, { firstName: "Tom", secondName: "Tags" });
  await follow(postcard, tom, ana);
  await post(postcard, ana, {
    caption: "Ferries in the #Northharbour",
    photo: await plainPhoto("teal"),
  });
  await post(postcard, ana, { caption: "Words from the #northharbour" });
  const page = await open(tom, { viewport: desktop });
  await page.goto("/upload");
  await expect(page.locator("html")).toHaveAttribute("data-alive", "");
  const field = page.getByLabel("Write a Caption");
  await field.pressSequentially("With @anast");
  const people = page.getByRole("listbox", { name: "People" });
  const ofAna = people.getByRole("option", { name: /Anastasia Tagged/ });
  await expect(ofAna).toHaveAttribute("aria-selected", "true");
  const active = await field.getAttribute("aria-activedescendant");
  expect(active).toBe(await ofAna.getAttribute("id"));
  await field.press("Enter");
  await expect(field).toHaveValue(`With @${ana.username} `);
  await expect(people).toHaveCount(0);

  // No tag is selected at once: Escape leaves the word as it is, Enter begins a line.
  await field.pressSequentially("#northh");
  const tags = page.getByRole("listbox", { name: "Tags" });
  await expect(tags.getByRole("option", { name: /#northharbour 2 posts/ })).toBeVisible();
  await field.press("Escape");
  await expect(tags).toHaveCount(0);
  await field.press("Backspace");
  await expect(tags).toHaveCount(0);
  await field.pressSequentially(" #nort");
  await expect(tags).toBeVisible();
  await field.press("ArrowDown");
  await field.press("Tab");
  const written = `With @${ana.username} #north #northharbour `;
  await expect(field).toHaveValue(written);
  await field.pressSequentially("and @nobody_at_all");
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).not.toHaveURL(/upload/);

  await page.goto(`/post/${tom.username}/1`);
  await expect(page.getByRole("link", { name: "@nobody_at_all" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: `@${ana.username}` })).toHaveAttribute(
    "href",
    `/search/${ana.username}`,
  );
  await page.getByRole("link", { name: "#northharbour" }).click();
  await expect(page).toHaveURL(/\/search\?q=%23northharbour$/);
  await expect(page.getByRole("heading", { name: "#northharbour" })).toBeVisible();
  const found = page.locator("section[aria-labelledby=tag] li");
  await expect(found).toHaveCount(3);
  await expect(found.nth(1)).toContainText("Words from the #northharbour");
});

test("on a phone a name is completed by touch in a comment, which notifies the account", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Annabelle", secondName: "Touched" });
  const tom = await addMember(postcard, { firstName: "Tom", secondName: "Taps" });
  const path = await post(postcard, tom, { caption: "On the #quayside" });
  const page = await open(tom, { hasTouch: true });
  await page.goto(path);
  await expect(page.locator("html")).toHaveAttribute("data-alive", "");
  const field = page.getByLabel("Leave a comment");
  await field.tap();
  await field.pressSequentially("Look @annabel");
  const option = page.getByRole("option", { name: /Annabelle Touched/ });
  await expect(option).toBeVisible();
  await expectNoSidewaysScroll(page);
  await option.tap();
  await expect(field).toHaveValue(`Look @${ana.username} `);
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: "post", exact: true }).tap();
  await expect(
    page.locator("#comments").getByRole("link", { name: `@${ana.username}` }),
  ).toBeVisible();
  const notified = await open(ana);
  await notified.goto("/notifications?tab=mentions");
  await expect(notified.getByText("mentioned you in a comment")).toBeVisible();
});
