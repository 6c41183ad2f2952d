import { apiPath, comment } from "./support/acts.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

const oops = { status: 500, body: "oops" };

test("a comment is deleted by its writer or the post's author, after being asked", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Mode", secondName: "Rator" });
  const reader = await addMember(postcard, { firstName: "Reg", secondName: "Ular" });
  const path = await post(postcard, writer, { caption: "Be kind." });
  await comment(postcard, writer, path, "By the author");
  await comment(postcard, reader, path, "Regretted");
  await comment(postcard, reader, path, "Unkind");
  await follow(postcard, reader, writer);

  const page = await open(reader, { expects: /status of (404|500|503)/ });
  await page.goto("/");
  await expect(page.getByRole("article")).toContainText("Regretted");
  await page.getByRole("link", { name: "View all 3 comments" }).click();
  await expect(page).toHaveURL(`${path}#comments`);
  const row = (text: string) => page.locator("#comments li").filter({ hasText: text });
  await expect(row("By the author").getByRole("button", { name: /Delete/ })).toHaveCount(0);
  const remove = row("Regretted").getByRole("button", { name: "Delete the comment by Reg Ular" });
  const dialog = page.getByRole("dialog");
  await remove.click();
  await expect(dialog).toContainText("Delete this comment?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row("Regretted")).toBeVisible();

  await page.route("**/api/posts/*/*/comments/*", (route) => route.fulfill(oops));
  await remove.click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Couldn't delete this comment.")).toBeVisible();
  await expect(row("Regretted")).toBeVisible();
  await page.unroute("**/api/posts/*/*/comments/*");

  await remove.press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(row("Regretted")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "2 comments" })).toBeFocused();
  await expect(page.getByText("Comment deleted. 2 comments left.")).toBeAttached();
  // Back in the feed the card shows the new count.
  await page.goBack();
  await expect(page.getByRole("article")).not.toContainText("Regretted");
  await expect(page.getByRole("article")).toContainText("Unkind");

  const author = await open(writer, { viewport: desktop });
  await author.goto(path);
  const unkind = author.locator("#comments li").filter({ hasText: "Unkind" });
  await unkind.getByRole("button", { name: /Delete/ }).click();
  await author.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(author.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();

  // Deleting a comment that is already deleted, without the news of it, succeeds quietly.
  await page.route("**/api/events**", (route) => route.fulfill({ ...oops, status: 503 }));
  await page.goto(path);
  const last = await comment(postcard, reader, path, "Short-lived");
  await page.reload();
  await author.request.delete(`${apiPath(path)}/comments/${last}`, {
    headers: { Origin: postcard },
  });
  await row("Short-lived")
    .getByRole("button", { name: /Delete/ })
    .click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(row("Short-lived")).toHaveCount(0);
  // Other readers have no delete button.
  const visitor = await open(null);
  await visitor.goto(path);
  await expect(visitor.locator("#comments li")).toHaveCount(1);
  await expect(
    visitor.locator("#comments li").getByRole("button", { name: /Delete|Edit/ }),
  ).toHaveCount(0);
});

test("many comments come page by page, one's own appears at the end at once", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Busy", secondName: "Thread" });
  const path = await post(postcard, writer, { photo: await plainPhoto("#808060", 700, 500) });
  const notes: string[] = [];
  for (let note = 1; note <= 65; note += 1) {
    notes.push(await comment(postcard, writer, path, `Note ${note}.`));
  }
  const page = await open(writer, { expects: /ERR_INTERNET_DISCONNECTED/ });
  await page.goto(path);
  const rows = page.locator("#comments li");
  const more = page.getByRole("button", { name: "Show more comments" });
  await expect(page.getByRole("heading", { name: "65 comments" })).toBeVisible();
  await expect(rows).toHaveCount(30);
  await expect(rows.first()).toContainText("Note 1.");
  await page.getByLabel("Leave a comment").fill("My own");
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(rows).toHaveCount(31);
  await expect(rows.last()).toContainText("My own");
  await expect(rows.last()).toBeInViewport();
  // It is shown before it is sent.
  await expect(page.getByRole("heading", { name: "66 comments" })).toBeVisible();
  await page.context().setOffline(true);
  await more.click();
  await expect(page.getByText("More comments didn't load.")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(rows).toHaveCount(61);
  await more.click();
  await expect(rows).toHaveCount(66);
  await expect(rows.last()).toContainText("My own");
  await expect(more).toHaveCount(0);

  // A reader on a later page sees deletions there, too.
  const along = await page.context().newPage();
  const link = /\?cursor=[^"#]+/.exec(await (await page.request.get(path)).text())?.[0];
  await along.goto(`${path}${link}`);
  await expect(along.locator("html[data-alive]")).toBeAttached();
  await expect(along.locator("#comments li")).toHaveCount(30);
  const commentId = notes[39] ?? "";
  const answer = await page.request.delete(`${apiPath(path)}/comments/${commentId}`, {
    headers: { Origin: postcard },
  });
  expect(answer.ok()).toBe(true);
  for (const shown of [along, page]) {
    await expect(shown.locator(`#comment-${commentId}`)).toHaveCount(0);
    await expect(shown.getByRole("heading", { name: "65 comments" })).toBeVisible();
  }
  await expect(along.locator("#comments li")).toHaveCount(29);
  await expect(rows).toHaveCount(65);

  const plain = await open(null, { javaScriptEnabled: false });
  await plain.goto(path);
  await plain.getByRole("link", { name: "Show more comments" }).click();
  await expect(plain.locator("#comments li").first()).toContainText("Note 31.");
  await plain.getByRole("link", { name: "Start from the first comment" }).click();
  await expect(plain.locator("#comments li").first()).toContainText("Note 1.");
});

test("without scripts one comments, sees what is wrong, and deletes", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Talker" });
  const path = await post(postcard, writer, { caption: "Talk." });
  const page = await open(writer, { javaScriptEnabled: false, expects: /status of 400/ });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const button = page.getByRole("button", { name: "post", exact: true });
  await button.click();
  await expect(page.getByText("required*")).toBeVisible();
  await field.fill("x".repeat(1001));
  await button.click();
  await expect(page.getByText("this is 1 too many")).toBeVisible();
  await expect(field).toHaveValue("x".repeat(1001));
  await field.fill("Typed by hand");
  await button.click();
  await expect(page).toHaveURL(/#comment-/);
  await expect(page.locator("#comments li")).toHaveText([/Typed by hand/]);
  await page.getByRole("button", { name: "Delete the comment by Plain Talker" }).click();
  await expect(page.getByRole("heading", { name: "Delete this comment?" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No comments yet")).toBeVisible();
  await expect(page.getByText("Comment deleted.", { exact: true })).toBeVisible();

  const visitor = await open(null, { javaScriptEnabled: false });
  await visitor.goto(path);
  await visitor.getByLabel("Leave a comment").fill("A guest's words");
  await visitor.getByRole("button", { name: "post", exact: true }).click();
  await expect(visitor).toHaveURL(/\/signIn\?returnTo=/);
  await visitor.getByLabel("Email").fill(writer.email);
  await visitor.getByLabel("Password", { exact: true }).fill(writer.password);
  await visitor.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await visitor.getByRole("link", { name: "OK" }).click();
  await expect(visitor.getByLabel("Leave a comment")).toHaveValue("A guest's words");
  await visitor.getByRole("button", { name: "post", exact: true }).click();
  await expect(visitor.locator("#comments li")).toHaveText([/A guest's words/]);
});

test("odd comments are shown as they are, fold when they are long, and break nothing", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "<i>Odd</i>", secondName: "ليلى" });
  const path = await post(postcard, writer, { caption: "Anything goes." });
  const odd = [
    `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
    "صباح الخير من المدينة القديمة",
    `${"Rindfleischetikettierungsüberwachung".repeat(20)} https://example.org/${"a".repeat(200)}`,
    `${"\n.".repeat(400)}`,
    `a\u0301\u0323${"\u0300".repeat(60)} \u202Eright to left\u202C {{7*7}} &amp;`,
  ];
  for (const body of odd) await comment(postcard, writer, path, body);
  for (const viewport of [{ width: 390, height: 844 }, desktop]) {
    const page = await open(writer, { viewport });
    await page.goto(path);
    await expect(page.locator("#comments li")).toHaveCount(odd.length);
    await expectNoSidewaysScroll(page);
    expect(await page.title()).not.toBe("owned");
    await expect(page.locator("main script, main img[src=x]")).toHaveCount(0);
    const arabic = page.getByText("صباح الخير");
    expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
    const tall = page.locator("#comments li").nth(3);
    const folded = (await tall.boundingBox())?.height ?? 0;
    expect(folded).toBeLessThan(400);
    await tall.getByRole("button", { name: "more of this comment" }).click();
    await expect.poll(async () => (await tall.boundingBox())?.height).toBeGreaterThan(folded * 4);
  }
});

test("deleting a comment with replies asks about their number, and then says how many were deleted", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Ann", secondName: "Swers" });
  const path = await post(postcard, writer, { caption: "Ask me." });
  const say = async (body: string, replyTo?: string) => {
    const answer = await fetch(`${postcard}${apiPath(path)}/comments`, {
      method: "POST",
      headers: { Origin: postcard, cookie: writer.cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ body, replyTo }),
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const [many, few] = [await say("Many"), await say("Few")];
  for (const words of ["one", "two", "three"]) await say(words, many);
  const last = await say("the only one", few);

  // A reply that was just announced may be asked for when it is deleted.
  const page = await open(writer, { expects: /status of 404/ });
  await page.goto(path);
  const button = (text: string) =>
    page
      .locator("#comments > ol > li")
      .filter({ hasText: text })
      .getByRole("button", { name: "Delete the comment by Ann Swers" })
      .first();
  await button("Few").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Delete this comment and its reply?");
  // One more reply comes while the question is open.
  await say("another", few);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(
    page.getByText("Comment and 2 replies deleted. 4 comments left.", { exact: true }),
  ).toBeAttached();
  await expect(page.locator(`#comment-${last}`)).toHaveCount(0);

  const plain = await open(writer, { javaScriptEnabled: false });
  await plain.goto(`${path}/comments/${many}/delete`);
  await expect(
    plain.getByRole("heading", { name: "Delete this comment and its 3 replies?" }),
  ).toBeVisible();
  await say("four", many);
  await plain.getByRole("button", { name: "Delete" }).click();
  await expect(plain.getByText("Comment and 4 replies deleted.", { exact: true })).toBeVisible();
  await expect(plain.getByText("No comments yet")).toBeVisible();
});
