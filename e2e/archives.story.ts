import { readFile } from "node:fs/promises";
import { archiveOf } from "./support/archives.ts";
import { expectAccessible } from "./support/axe.ts";
import { addMember, post, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

/** The two follow each other, and one writes to the other. */
async function writeTo(url: string, from: Member, to: Member, body: string): Promise<void> {
  const call = async (member: Member, method: string, path: string, sent?: object) => {
    const headers = { Origin: url, cookie: member.cookie, "Content-Type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(sent ?? {}) });
    expect(answer.ok, path).toBe(true);
  };
  await call(from, "PUT", `/api/accounts/${to.username}/follow`);
  await call(to, "PUT", `/api/accounts/${from.username}/follow`);
  const chat = `/api/chats/${from.username}.${to.username}/messages`;
  await call(from, "POST", chat, { body });
}

test("a member makes an archive, downloads it, and imports it into another account", async ({
  open,
  postcard,
}) => {
  const from = await addMember(postcard, { firstName: "Tara", secondName: "Traveller" });
  await post(postcard, from, { caption: "A photo that travels", photo: await plainPhoto("teal") });
  await post(postcard, from, { caption: "Words that travel" });
  const friend = await addMember(postcard, { firstName: "Frida", secondName: "Friend" });
  await writeTo(postcard, from, friend, "Words between two");
  const page = await open(from, { expects: /status of 404/ });
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Make my archive" }).click();
  const link = page.getByRole("link", { name: "Download" });
  await expect(link).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Only you can download it, until")).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^postcard-.*\.zip$/);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 2).toString()).toBe("PK");

  // nobody else gets it, and it can be downloaded in part
  const address = (await link.getAttribute("href")) ?? "";
  const to = await addMember(postcard, { firstName: "Nova", secondName: "Newhome" });
  const asked = (cookie: string, range = "") =>
    fetch(postcard + address, { headers: { cookie, ...(range && { range }) } });
  expect((await asked("")).status).toBe(401);
  expect((await asked(to.cookie)).status).toBe(404);
  const part = await asked(from.cookie, "bytes=2-5");
  expect([part.status, part.headers.get("cache-control")]).toEqual([206, "private, no-store"]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2, 6));

  const other = await open(to);
  await other.goto("/settings/data/bring");
  const file = other.getByLabel("Choose your archive (zip file)");
  await file.setInputFiles({
    name: "holiday.zip",
    mimeType: "application/zip",
    buffer: Buffer.from("not a zip"),
  });
  await expect(other.getByRole("alert")).toContainText("zip file");
  await file.setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer: bytes });
  await expect(other.getByText("This is an archive of a Postcard.")).toBeVisible();
  await expectAccessible(other, "the question before an archive is sent");
  await other.getByRole("button", { name: "Import" }).click();
  await expect(other.getByText("2 of 2 posts imported.")).toBeVisible({ timeout: 60_000 });
  await expect(other.getByText("1 of 1 messages imported.")).toBeVisible();
  await other.goto("/settings/data");
  await expect(other.getByRole("link", { name: "Read your imported messages" })).toBeVisible();
  // The screen of messages has an unobtrusive link to them, as long as there are some.
  await other.goto("/chat");
  await expect(other.getByText("No one to message yet")).toBeVisible();
  await expectAccessible(other, "chats with imported messages");
  await other.getByRole("link", { name: "Imported messages" }).click();
  await expect(other.getByRole("heading", { name: "Imported messages" })).toBeVisible();
  await expectAccessible(other, "the imported conversations");
  await other.getByRole("link", { name: "Frida Friend" }).click();
  await expect(other.getByRole("heading", { name: "Frida Friend" })).toBeVisible();
  await expect(other.getByText("Words between two")).toBeVisible();
  await expectAccessible(other, "an imported conversation");
  await other.getByRole("link", { name: "Delete this copy" }).click();
  await expectAccessible(other, "the question before a copy is deleted");
  await other.getByRole("button", { name: "Delete" }).click();
  await expect(other.getByText("No imported messages")).toBeVisible();
  await other.goto("/chat");
  await expect(other.getByText("No one to message yet")).toBeVisible();
  await expect(other.getByRole("link", { name: "Imported messages" })).toHaveCount(0);
  await other.goto(`/post/${to.username}/1`);
  await expect(other.getByText("A photo that travels")).toBeVisible();
  await expect(other.getByText("Imported")).toBeVisible();
});

test("without scripts an archive is made, downloaded and imported, too", async ({
  open,
  postcard,
}) => {
  const from = await addMember(postcard, { firstName: "Ned", secondName: "Noscript" });
  await post(postcard, from, { caption: "Plain words" });
  const page = await open(from, { javaScriptEnabled: false });
  await page.goto("/settings/data");
  await page.getByRole("button", { name: "Make my archive" }).click();
  // the page reloads itself
  await expect(page.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 60_000 });

  const bytes = await archiveOf(postcard, from);
  const to = await addMember(postcard, { firstName: "Nan", secondName: "Newhome" });
  const other = await open(to, { javaScriptEnabled: false, expects: /status of 400/ });
  await other.goto("/settings/data/bring");
  await other
    .getByLabel("Choose your archive (zip file)")
    .setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer: bytes });
  await other.getByRole("button", { name: "Import" }).click();
  await expect(other.getByText("1 of 1 posts imported.")).toBeVisible({ timeout: 60_000 });
});
