import { signInHere } from "./support/acts.ts";
import { addMember, post } from "./support/members.ts";
import { desktop, expect, test } from "./support/stories.ts";

const guarded = "Please Sign In To Access This section";
const refused = /status of 40[14]/;

test("/notifications and /chat are quiet for a member; a visitor is asked to sign in and comes back", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Hush", secondName: "Quiet" });
  const page = await open(null, { expects: refused });
  for (const path of ["/notifications", "/chat", "/chat/anybody", "/Chat", "/NOTIFICATIONS"]) {
    expect((await page.goto(path))?.status(), path).toBe(401);
    await expect(page.getByRole("heading", { name: guarded, exact: true })).toBeVisible();
    await expect(page).toHaveURL(path);
  }
  await page.locator("main").getByRole("link", { name: "Sign In" }).click();
  await signInHere(page, member);
  await expect(page).toHaveURL("/NOTIFICATIONS");
  await expect(page.getByRole("heading", { name: "Notifications" })).toBeVisible();
  await expect(page.getByText("All quiet")).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Messages" }).click();
  await expect(page).toHaveURL("/chat");
  await expect(page.getByRole("heading", { name: "Chats", exact: true })).toBeVisible();
  await expect(page.getByText("No one to message yet")).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Notifications" }).click();
  await expect(page).toHaveURL("/notifications");
  expect((await page.goto("/chat/anybody"))?.status()).toBe(404);
});

test("/profile shows a member the own counts, BIO, tabs, and Sign Out on small screens only", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Mia", secondName: "Myself" });
  await post(postcard, member, { caption: "Mine." });
  const page = await open(member);
  await page.goto("/Profile");
  await expect(page.getByRole("heading", { name: member.name })).toBeVisible();
  const edit = page.getByRole("link", { name: "Edit Profile", exact: true });
  await expect(edit).toHaveAttribute("href", "/profile/edit");
  await expect(page.getByText("1 post", { exact: true })).toBeVisible();
  for (const [name, list] of [
    ["0 followers", "followers"],
    ["0 following", "following"],
  ] as const) {
    const link = page.getByRole("link", { name });
    await expect(link).toHaveAttribute("href", `/profile/${list}/${member.id}`);
  }
  await expect(page.getByRole("heading", { name: "BIO", exact: true })).toBeVisible();
  await expect(page.getByText("No photos yet")).toBeVisible();
  await page.getByRole("link", { name: "Words" }).click();
  await expect(page.getByRole("article")).toContainText("Mine.");
  const signOut = page.locator("main").getByRole("button", { name: "Sign Out" });
  await expect(signOut).toBeVisible();
  await page.setViewportSize(desktop);
  await expect(signOut).toBeHidden();
});

test("/saved has two tabs, /profile/edit its form, /settings its checkbox, in any letter case", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Lit", secondName: "Eral" });
  const page = await open(member);
  await page.goto("/Saved");
  await expect(page.getByRole("heading", { name: "Saved", exact: true })).toBeVisible();
  const tabs = page.getByRole("navigation", { name: "Saved posts" }).getByRole("link");
  await expect(tabs).toHaveCount(2);
  await page.goto("/Profile/Edit");
  await expect(page.locator('main input[type="file"]')).toBeAttached();
  for (const label of ["First name", "Second name", "Bio"]) {
    await expect(page.getByLabel(new RegExp(`^${label}`))).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Save Changes", exact: true })).toBeVisible();
  await page.goto("/Settings");
  const checkbox = page.getByRole("checkbox", { name: "Dark theme" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(checkbox).not.toBeChecked();
  await checkbox.check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "synthwave");
});

test("/upload is for members: image picker, caption and Post", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Una", secondName: "Upload" });
  const page = await open(member);
  await page.goto("/Upload");
  await expect(page.getByText("Click to upload")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Write a Caption" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Post", exact: true })).toBeVisible();
});
