import { axeFinds } from "./support/axe.ts";
import {
  befriend,
  chatPath,
  composer,
  expectSaid,
  log,
  manyMessages,
  said,
  say,
  write,
} from "./support/chats.ts";
import { addMember, post, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import {
  desktop,
  expect,
  expectAnswered,
  expectNoSidewaysScroll,
  phone,
  test,
} from "./support/stories.ts";

async function friends(url: string): Promise<{ ana: Member; bo: Member }> {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Abelard" });
  const bo = await addMember(url, { firstName: "Bo", secondName: "Brisket" });
  await befriend(url, ana, bo);
  return { ana, bo };
}

/** All that the two say in the story, as seen by the one called `you`. */
const everything = (you: string, other: string) => [
  `${you}: One\nline and another`,
  `${other}: I am writing`,
  `${you}: [photo]With words`,
  ...["to you 1", "to you 2", "to you 3"].map((words) => `${you}: ${words}`),
  ...["from away 1", "from away 2"].map((words) => `${other}: ${words}`),
];

/** What browsers log about a lost connection, and about refusals. */
const cut = /net::ERR_|status of (400|403|404|500)/;

test("two people write to each other, one of them away for a while: both have every message once and in order", async ({
  open,
  postcard,
}) => {
  const { ana, bo } = await friends(postcard);
  const here = await open(ana, { viewport: desktop, expects: cut });
  const there = await open(bo, { expects: cut });

  const listens = there.waitForResponse("**/api/events?**");
  await there.goto("/chat");
  await listens;
  await expect(there.getByRole("heading", { name: "Chats", exact: true })).toBeVisible();
  const line = there.getByRole("navigation", { name: "Chats" }).getByRole("link");
  await expect(line).toHaveCount(1);
  await expect(line).toContainText(ana.name);
  await here.goto(`/search/${bo.id}`);
  await here.getByRole("link", { name: "Message", exact: true }).click();
  await expect(here).toHaveURL(chatPath(ana, bo));
  await expect(here.getByRole("heading", { name: bo.name, exact: true })).toBeVisible();
  await expect(composer(here)).toBeFocused();
  await here.keyboard.type("One");
  await here.keyboard.press("Shift+Enter");
  await here.keyboard.type("line and another");
  // Even before there is a conversation.
  await expect(line).toContainText("writing…");
  await here.keyboard.press("Enter");
  const one = "You: One\nline and another";
  await expectSaid(here, [one]);
  await expect(log(here).getByText("Sent", { exact: false })).toBeVisible();
  await expect(log(here).getByText("Seen", { exact: false })).toHaveCount(0);

  // The list updates by itself; nothing counts as seen before it is opened.
  await expect(line).toContainText("One line and another");
  await expect(line).toContainText("1 new");
  await line.click();
  await expect(there).toHaveURL(chatPath(bo, ana));
  await expectSaid(there, [one.replace("You", ana.name)]);
  await expect(log(here).getByText("Seen", { exact: false })).toBeVisible();

  await composer(there).pressSequentially("I am wri");
  await expect(log(here).getByText(`${bo.name} is writing`)).toBeAttached();
  await write(there, "I am writing");
  await expect(log(here).getByText(`${bo.name} is writing`)).toHaveCount(0);
  await expectSaid(here, [one, `${bo.name}: I am writing`]);

  // A photo, previewed before it is sent, and opened large on the other side.
  await here.getByLabel("Add a photo").setInputFiles([await plainPhoto("#2a9d5c", 900, 600)]);
  await expect(here.getByRole("list", { name: "Photos to send" }).locator("img")).toBeVisible();
  await write(here, "With words");
  const photo = log(there).getByRole("link", { name: `Photo from ${ana.name}` });
  await expect(photo).toHaveAttribute("href", /^\/chat\/pictures\//);
  await expect
    .poll(() => photo.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(100);
  await photo.click();
  await expect(there.getByRole("dialog", { name: "Photo" }).locator("img")).toBeVisible();
  await there.keyboard.press("Escape");
  await expect(photo).toBeFocused();

  await there.context().setOffline(true);
  // Going offline leaves open connections open: the stream is cut as a lost connection would cut it.
  await there.evaluate(() => window.stop());
  await write(there, "from away 1");
  await write(there, "from away 2");
  await expect(there.getByText("You're offline.")).toBeVisible();
  await expect(log(there).getByText("Waiting to be sent")).toHaveCount(2);
  for (const word of ["to you 1", "to you 2", "to you 3"]) await write(here, word);
  await expectAnswered(here);
  expect((await said(there)).length).toBe(3);
  await there.context().setOffline(false);

  await expectSaid(here, everything("You", bo.name));
  await expectSaid(there, everything(ana.name, "You"));
  await here.reload();
  await expectSaid(here, everything("You", bo.name));
});

test("a message that fails is kept and offered again, arrives once, and a draft waits everywhere except after a sign-out", async ({
  open,
  postcard,
}) => {
  const { ana, bo } = await friends(postcard);
  const page = await open(ana, { viewport: desktop, expects: cut });
  const path = chatPath(ana, bo);
  await page.goto(path);
  await page.route("**/api/chats/*/messages", (route) =>
    route.fulfill({ status: 500, body: "no" }),
  );
  await write(page, "first");
  await expect(log(page).getByText("Not sent.")).toHaveCount(1);
  await write(page, "second");
  await expect(log(page).getByText("Not sent.")).toHaveCount(2);
  expect(await said(page)).toEqual([]);

  // Another document offers what this one could not send, once it has a connection.
  await page.reload();
  await expect(log(page).getByText("Not sent.")).toHaveCount(2);
  await page.unroute("**/api/chats/*/messages");
  let lost = 0;
  await page.route("**/api/chats/*/messages", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    // It arrives, and the answer is lost on its way back.
    await route.fetch();
    await route.abort("connectionreset");
  });
  await log(page).getByRole("button", { name: "Retry" }).first().click();
  await expectSaid(page, ["You: first"]);
  // The other one was not sent again.
  await expect(log(page).getByText("Not sent.")).toHaveCount(1);
  await log(page).getByRole("button", { name: "Retry" }).click();
  await expectSaid(page, ["You: first", "You: second"]);
  await expect(log(page).getByText("Not sent.")).toHaveCount(0);
  expect(lost).toBe(1);
  await page.reload();
  await expectSaid(page, ["You: first", "You: second"]);
  await expect(log(page).getByText("Not sent.")).toHaveCount(0);

  await composer(page).fill("begun and");
  const tab = await page.context().newPage();
  await tab.goto(path);
  await expect(composer(tab)).toHaveValue("begun and");
  await composer(tab).fill("begun and gone on");
  await expect(composer(page)).toHaveValue("begun and gone on");
  await page.goto("/chat");
  await expect(page.getByRole("link", { name: /Draft: begun and gone on/ })).toBeVisible();

  // A text that is too long is refused before it is sent, and stays where it is.
  await page.goto(path);
  await composer(page).fill("x".repeat(4001));
  await expect(page.getByText("1 too many")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByText("A message can have 4,000 characters")).toBeVisible();
  await expect(composer(page)).toHaveValue("x".repeat(4001));
  await tab.close();

  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await expect(page.getByText("Signed Out Successfully")).toBeVisible();
  const stored = await page.evaluate(async () => ({
    drafts: Object.keys(localStorage).filter((key) => key.includes("draft")),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));
  expect(stored).toEqual({ drafts: [], databases: [] });
});

test("a message is deleted for both; a conversation is muted, closed by an unfollow and removed by a block", async ({
  open,
  postcard,
}) => {
  const { ana, bo } = await friends(postcard);
  const cleo = await addMember(postcard, { firstName: "Cleo", secondName: "Stranger" });
  await say(postcard, bo, ana, { body: "hello" });
  await say(postcard, ana, bo, { body: "a secret", photo: await plainPhoto("#a03030") });
  const page = await open(ana, { viewport: desktop, expects: cut });
  const other = await open(bo, { expects: cut });
  // What is written before the stream begins arrives when it begins, and so does its mark.
  await page.route("**/api/events?**", (route) => route.abort());
  await page.goto(chatPath(ana, bo));
  await say(postcard, bo, ana, { body: "before you listen" });
  await other.goto(chatPath(bo, ana));
  await expect(log(page).getByText("Sent", { exact: false })).toBeVisible();
  await page.unroute("**/api/events?**");
  await expect(log(page).getByText("before you listen")).toBeVisible({ timeout: 60_000 });
  await expect(log(page).getByText("Seen", { exact: false })).toBeVisible();
  const photo = log(other).getByRole("link", { name: `Photo from ${ana.name}` });
  const address = (await photo.getAttribute("href")) ?? "";
  expect((await other.request.get(address)).status()).toBe(200);

  const remove = log(page).getByRole("button", { name: /^Delete your message/ });
  await expect(remove).toHaveCount(1);
  await remove.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Cancel" }).click();
  const third = `${bo.name}: before you listen`;
  expect(await said(page)).toEqual([`${bo.name}: hello`, "You: [photo]a secret", third]);
  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(log(page).getByText("You deleted a message")).toBeVisible();
  await expect(log(other).getByText("Message deleted")).toBeVisible();
  await expect(other.getByText("a secret")).toHaveCount(0);
  expect((await other.request.get(address)).status()).toBe(404);

  const options = page.getByRole("button", { name: "Options for this chat" });
  await options.click();
  await page.getByRole("button", { name: "Mute this chat" }).click();
  await expect(page.getByRole("navigation", { name: "Chats" }).getByLabel("Muted")).toBeVisible();
  await options.click();
  await expect(page.getByRole("button", { name: "Unmute this chat" })).toBeVisible();
  await page.keyboard.press("Escape");

  // Only its two members get any of it.
  const stranger = await open(cleo, { expects: cut });
  for (const path of [chatPath(ana, bo), chatPath(cleo, ana), address]) {
    expect((await stranger.goto(path))?.status(), path).toBe(404);
  }

  // A message is also not sent for somebody else who signed in meanwhile in the same browser.
  const answer = await fetch(`${postcard}/api/chats/${ana.username}.${bo.username}/messages`, {
    method: "POST",
    headers: { Origin: postcard, cookie: bo.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ senderId: ana.id, body: "whose?" }),
  });
  expect(answer.status).toBe(401);

  // While it is open the other member unfollows: it closes, and opens when they follow again.
  const asBo = (act: "follow" | "unfollow") =>
    fetch(`${postcard}/api/accounts/${ana.username}/follow`, {
      method: act === "follow" ? "PUT" : "DELETE",
      headers: { Origin: postcard, cookie: bo.cookie },
    });
  await asBo("unfollow");
  await expect(page.getByText("no longer follow each other")).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
  await asBo("follow");
  await expect(composer(page)).toBeVisible();
  // At the moment of sending: the text stays.
  await page.route("**/api/chats/*/messages", async (route) => {
    await asBo("unfollow");
    await route.continue();
  });
  await write(page, "too late");
  await expect(
    log(page).getByText(/Not sent\. You can only message each other while/),
  ).toBeVisible();
  await expect(page.getByText("no longer follow each other")).toBeVisible();
  await log(page).getByRole("button", { name: "Discard" }).click();
  await expect(log(page).getByText("too late")).toHaveCount(0);
  await expect(composer(page)).toHaveCount(0);
  expect((await said(page))[0]).toBe(`${bo.name}: hello`);
  await page.goto(`/search/${bo.id}`);
  await expect(page.getByRole("link", { name: "Message", exact: true })).toHaveCount(0);
  await expect(page.getByText("once they follow you back")).toBeVisible();

  await page.goto(chatPath(ana, bo));
  await page.getByRole("button", { name: "Options for this chat" }).click();
  await page.getByRole("link", { name: `Mute, block or report ${bo.name}` }).click();
  await page.getByRole("dialog").getByLabel("Block", { exact: true }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  await expect(page).toHaveURL("/chat");
  await expect(page.getByRole("link", { name: new RegExp(bo.name) })).toHaveCount(0);
  expect((await other.goto(chatPath(bo, ana)))?.status()).toBe(404);
});

test("without scripts one writes, sends a photo, reads older messages, deletes and mutes", async ({
  open,
  postcard,
  running,
}) => {
  const { ana, bo } = await friends(postcard);
  await say(postcard, bo, ana, { body: "message 1" });
  await manyMessages(running.databaseUrl, bo, ana, 59);
  const page = await open(ana, { javaScriptEnabled: false, expects: cut });
  await page.goto("/chat");
  const line = page.getByRole("link", { name: new RegExp(bo.name) });
  await expect(line).toContainText("60 new");
  await line.click();
  // It opens at the first unread message; the rest is a link away.
  await expect(log(page).getByText("message 1", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Newer messages" }).click();
  await expect(log(page).getByText("message 60", { exact: true })).toBeVisible();
  await expect(log(page).getByText("message 20", { exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Older messages" }).click();
  await expect(log(page).getByText("message 1", { exact: true })).toBeVisible();

  await composer(page).fill("Plain words");
  await page.getByLabel("Add a photo").setInputFiles(await plainPhoto("#3050a0"));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page).toHaveURL(chatPath(ana, bo));
  await expect(log(page).getByText("Plain words")).toBeVisible();
  await expect(log(page).getByRole("link", { name: "Photo from You" })).toBeVisible();
  await composer(page).fill("y".repeat(4001));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("A message can have 4,000 characters")).toBeVisible();
  await expect(composer(page)).toHaveValue("y".repeat(4001));

  await page.goto(chatPath(ana, bo));
  await log(page)
    .getByRole("button", { name: /^Delete your message/ })
    .click();
  await expect(page.getByRole("heading", { name: "Delete this message" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(log(page).getByText("You deleted a message")).toBeVisible();
  const options = page.getByRole("button", { name: "Options for this chat" });
  await options.click();
  await page.getByRole("button", { name: "Mute this chat" }).click();
  await options.click();
  await expect(page.getByRole("button", { name: "Unmute this chat" })).toBeVisible();
  await page.goto("/chat");
  await expect(page.getByRole("navigation", { name: "Chats" })).not.toContainText("new");
});

test("ten thousand messages open where they begin to be new, keep their position, and leave the page small; nothing is cut, and axe finds nothing", async ({
  open,
  postcard,
  running,
}) => {
  const { ana, bo } = await friends(postcard);
  const dina = await addMember(postcard, { firstName: "دينا", secondName: "حداد" });
  await befriend(postcard, ana, dina);
  await say(postcard, dina, ana, { body: "مرحبا https://example.org/a 🎉" });
  await say(postcard, dina, ana, { body: "w".repeat(4000) });
  await say(postcard, ana, dina, { body: "🎉", photo: await plainPhoto("#306050", 300, 900) });
  await say(postcard, bo, ana, { body: "message 1" });
  await manyMessages(running.databaseUrl, bo, ana, 9999, { seen: 9900 });
  await post(postcard, bo, { caption: "Out." });

  const page = await open(ana);
  await page.goto("/chat");
  await page.getByRole("link", { name: new RegExp(bo.name) }).click();
  await expect(log(page).getByText("New", { exact: true })).toBeInViewport();
  await expect(log(page).getByText("message 9901", { exact: true })).toBeInViewport();
  const rows = log(page).locator("li[data-seq]");
  const place = (seq: number) =>
    log(page)
      .locator(`[data-seq="${seq}"]`)
      .evaluate((row) => Math.round(row.getBoundingClientRect().top));

  // Loading messages above moves nothing, and those far below are removed from the page.
  await log(page).focus();
  const first = async () => Number(await rows.first().getAttribute("data-seq"));
  for (let step = 0; step < 7; step += 1) {
    const before = await first();
    const seq = before + 2;
    const top = await log(page).evaluate((box, wanted) => {
      const row = box.querySelector(`[data-seq="${wanted}"]`);
      row?.scrollIntoView({ block: "center" });
      return Math.round(row?.getBoundingClientRect().top ?? 0);
    }, seq);
    await expect.poll(first).toBeLessThan(before);
    expect(Math.abs((await place(seq)) - top)).toBeLessThanOrEqual(2);
  }
  expect(await rows.count()).toBeLessThanOrEqual(200);
  expect(await first()).toBeLessThan(9700);

  await say(postcard, bo, ana, { body: "while you were far up" });
  await expect(page.getByRole("button", { name: "1 new below" })).toBeVisible();
  await page.getByRole("button", { name: "1 new below" }).click();
  await expect(log(page).getByText("while you were far up")).toBeInViewport();
  await expect(page.getByRole("button", { name: "1 new below" })).toHaveCount(0);

  for (const [theme, viewport] of [
    ["light", phone],
    ["synthwave", desktop],
  ] as const) {
    const shown = await open(ana, { theme, viewport });
    for (const path of ["/chat", chatPath(ana, dina), chatPath(ana, bo)]) {
      await shown.goto(path);
      await expectNoSidewaysScroll(shown);
      expect(await axeFinds(shown), `${path} in ${theme}`).toEqual([]);
    }
    const overflow = await log(shown).evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(overflow, "a conversation is wider than its container").toBeLessThanOrEqual(0);
  }
});
