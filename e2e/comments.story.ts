import { comment, signInHere } from "./support/acts.ts";
import { follow, post, signUp } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import {
  desktop,
  expect,
  expectNoSidewaysScroll,
  test,
  expectAnswered,
} from "./support/stories.ts";

const oops = { status: 500, body: "oops" };

test("a comment stands in the list and is counted at once, oldest first, without a reload", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Clara", secondName: "Comment" });
  const reader = await signUp(postcard, { firstName: "Tom", secondName: "Talks" });
  const path = await post(postcard, writer, { caption: "What do you think?" });
  const page = await open(reader);
  await page.goto(path);
  await expect(page.getByText("No comments yet")).toBeVisible();
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const field = page.getByLabel("Leave a comment");
  await field.fill("Lovely  ☀️\n<b>not bold</b>");
  // Somebody else was faster meanwhile: their comment is there, too.
  await comment(postcard, writer, path, "I begin.");
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.getByRole("heading", { name: "2 comments" })).toBeVisible();
  const rows = page.locator("#comments li");
  await expect(rows).toHaveText([/^Clara CommentI begin\./, /^Tom TalksLovely {2}☀️\n<b>not bold/]);
  await expect(field).toHaveValue("");
  await expect(page.getByText("Your comment is posted. 2 comments in all.")).toBeAttached();
  await expect(page.getByRole("article").getByText("2 comments", { exact: true })).toBeAttached();

  // By keyboard alone, and once more the same words: two comments, for they are meant.
  for (const count of [3, 4]) {
    await field.fill("Again");
    await field.press("Control+Enter");
    await expect(page.getByRole("heading", { name: `${count} comments` })).toBeVisible();
  }
  expect(documents).toBe(0);
  await page.reload();
  await expect(rows).toHaveText([/I begin\./, /Lovely/, /Again/, /Again/]);
});

test("an empty comment asks for words, a long one says by how much, before anything is sent", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Con", secondName: "Cise" });
  const path = await post(postcard, writer, { caption: "Be brief." });
  const page = await open(writer);
  let sent = 0;
  await page.route("**/calls/comment", (route) => {
    sent += 1;
    return route.continue();
  });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const button = page.getByRole("button", { name: "post", exact: true });
  await expect(page.getByText("required*")).toHaveCount(0);
  await button.click();
  await expect(page.getByText("required*")).toBeVisible();
  await expect(field).toBeFocused();
  await field.fill("   \n ");
  await expect(page.getByText("required*")).toBeVisible();
  await field.fill("Something");
  await expect(page.getByText("required*")).toHaveCount(0);
  // A family is one character.
  await field.fill("👨‍👩‍👧‍👦".repeat(990));
  await expect(page.getByText("10 left", { exact: true })).toBeVisible();
  await field.fill("👨‍👩‍👧‍👦".repeat(1002));
  await expect(page.getByText("2 too many", { exact: true })).toBeVisible();
  await button.click();
  await expect(
    page.getByText("A comment can have 1,000 characters; this is 2 too many."),
  ).toBeVisible();
  expect(sent).toBe(0);
  await field.fill("👨‍👩‍👧‍👦".repeat(1000));
  await button.click();
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await expect(page.getByText("left", { exact: false })).toHaveCount(0);
  await expectNoSidewaysScroll(page);
});

test("a comment that cannot be sent stays in its field, and goes out once when tried again", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Bea", secondName: "Brave" });
  const path = await post(postcard, writer, { caption: "Say it." });
  const page = await open(writer, {
    expects: /status of 500|ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
  });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const button = page.getByRole("button", { name: "post", exact: true });
  const alert = page.locator("#comments [role=alert]");
  await field.fill("Kept through everything");

  await page.route("**/calls/comment", (route) => route.fulfill(oops));
  await button.click();
  await expect(alert).toHaveText(/Your words are kept\. Something went wrong on our side/);
  await expect(field).toHaveValue("Kept through everything");
  await page.unroute("**/calls/comment");

  await page.context().setOffline(true);
  await button.click();
  await expect(alert).toHaveText(/Your words are kept\. We could not reach Postcard/);
  await expect(field).toHaveValue("Kept through everything");
  await expect(page.getByText("No comments yet")).toBeVisible();
  await page.context().setOffline(false);

  // The answer is lost on the way back, after the comment was saved.
  await page.route("**/calls/comment", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await expect(alert).toHaveText(/We could not reach Postcard/);
  await page.unroute("**/calls/comment");
  await button.dblclick();
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(alert).toHaveText("");
  await expectAnswered(page);
  await page.reload();
  await expect(page.locator("#comments li")).toHaveText([/Kept through everything/]);
});

test("a double submit makes one comment, and two tabs show each other's", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Dub", secondName: "Double" });
  const path = await post(postcard, writer, { caption: "Once." });
  const page = await open(writer);
  await page.goto(path);
  const other = await page.context().newPage();
  await other.goto(path);
  await page.getByLabel("Leave a comment").fill("Only once");
  await page.getByRole("button", { name: "post", exact: true }).dblclick();
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await other.getByLabel("Leave a comment").fill("From the other tab");
  await other.getByRole("button", { name: "post", exact: true }).click();
  await expect(other.locator("#comments li")).toHaveText([/Only once/, /From the other tab/]);
  await expect(other.getByRole("heading", { name: "2 comments" })).toBeVisible();
});

test("a comment is deleted by its writer or the post's author, after being asked", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Mode", secondName: "Rator" });
  const reader = await signUp(postcard, { firstName: "Reg", secondName: "Ular" });
  const path = await post(postcard, writer, { caption: "Be kind." });
  await comment(postcard, writer, path, "By the author");
  await comment(postcard, reader, path, "Regretted");
  await comment(postcard, reader, path, "Unkind");
  await follow(postcard, reader, writer);

  const page = await open(reader, { expects: /status of (404|500)/ });
  await page.goto("/");
  await expect(page.getByRole("article")).toContainText("Regretted");
  await page.getByRole("link", { name: "View all 3 comments" }).click();
  await expect(page).toHaveURL(`${path}#comments`);
  const row = (text: string) => page.locator("#comments li").filter({ hasText: text });
  await expect(row("By the author").getByRole("button")).toHaveCount(0);
  const remove = row("Regretted").getByRole("button", { name: "Delete the comment by Reg Ular" });
  const dialog = page.getByRole("dialog");
  await remove.click();
  await expect(dialog).toContainText("Delete this comment?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(row("Regretted")).toBeVisible();

  await page.route("**/calls/delete-comment", (route) => route.fulfill(oops));
  await remove.click();
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("This comment is still there.")).toBeVisible();
  await expect(row("Regretted")).toBeVisible();
  await page.unroute("**/calls/delete-comment");

  await remove.press("Enter");
  await dialog.getByRole("button", { name: "OK" }).press("Enter");
  await expect(row("Regretted")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "2 comments" })).toBeFocused();
  await expect(page.getByText("The comment is deleted. 2 comments left.")).toBeAttached();
  // Back in the feed the card knows.
  await page.goBack();
  await expect(page.getByRole("article")).not.toContainText("Regretted");
  await expect(page.getByRole("article")).toContainText("Unkind");

  const author = await open(writer, { viewport: desktop });
  await author.goto(path);
  const unkind = author.locator("#comments li").filter({ hasText: "Unkind" });
  await unkind.getByRole("button", { name: /Delete/ }).click();
  await author.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await expect(author.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();

  // Somebody who reads along is offered nothing; what is gone already goes quietly.
  await page.goto(path);
  const last = await comment(postcard, reader, path, "Short-lived");
  await page.reload();
  const [, , address = "", number = ""] = path.split("/");
  await author.request.post("/calls/delete-comment", {
    headers: { Origin: postcard },
    form: { address, number, commentId: last },
  });
  await row("Short-lived")
    .getByRole("button", { name: /Delete/ })
    .click();
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(row("Short-lived")).toHaveCount(0);
  const visitor = await open(null);
  await visitor.goto(path);
  await expect(visitor.locator("#comments li")).toHaveCount(1);
  await expect(visitor.locator("#comments li").getByRole("button")).toHaveCount(0);
});

test("a visitor who comments signs in, comes back, and the words are still there", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Wel", secondName: "Come" });
  const reader = await signUp(postcard, { firstName: "New", secondName: "Comer" });
  const path = await post(postcard, writer, { caption: "Join in." });
  const words = "Ich war hier, ganz ehrlich. ".repeat(12).trim();
  const page = await open(null, { expects: /status of 401/ });
  await page.goto(path);
  await page.getByLabel("Leave a comment").fill(words);
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?returnTo=/);
  await signInHere(page, reader);
  await expect(page).toHaveURL(`${path}#comments`);
  await expect(page.getByLabel("Leave a comment")).toHaveValue(words);
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.locator("#comments li")).toHaveText([/Ich war hier/]);
  await expect(page.getByLabel("Leave a comment")).toHaveValue("");

  // Signed out in the middle: the same.
  await page.getByLabel("Leave a comment").fill("And once more");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?returnTo=/);
  await signInHere(page, reader);
  await expect(page.getByLabel("Leave a comment")).toHaveValue("And once more");
});

test("many comments come page by page, one's own stands at the end at once", async ({
  open,
  postcard,
}) => {
  test.setTimeout(120_000);
  const writer = await signUp(postcard, { firstName: "Busy", secondName: "Thread" });
  const path = await post(postcard, writer, { photo: await plainPhoto("#808060", 700, 500) });
  for (let note = 1; note <= 65; note += 1) await comment(postcard, writer, path, `Note ${note}.`);
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
  await page.context().setOffline(true);
  await more.click();
  await expect(page.getByText("The next comments did not load.")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(rows).toHaveCount(61);
  await more.click();
  await expect(rows).toHaveCount(66);
  await expect(rows.last()).toContainText("My own");
  await expect(more).toHaveCount(0);

  const plain = await open(null, { javaScriptEnabled: false });
  await plain.goto(path);
  await plain.getByRole("link", { name: "Show more comments" }).click();
  await expect(plain.locator("#comments li").first()).toContainText("Note 31.");
  await plain.getByRole("link", { name: "From the first comment" }).click();
  await expect(plain.locator("#comments li").first()).toContainText("Note 1.");
});

test("without scripts one comments, is told what is wrong, and deletes", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "Plain", secondName: "Talker" });
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
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("No comments yet")).toBeVisible();

  const visitor = await open(null, { javaScriptEnabled: false });
  await visitor.goto(path);
  await visitor.getByLabel("Leave a comment").fill("A guest's words");
  await visitor.getByRole("button", { name: "post", exact: true }).click();
  await expect(visitor).toHaveURL(/\/signIn\?returnTo=/);
  await visitor.getByLabel("Email").fill(writer.email);
  await visitor.getByLabel("Password", { exact: true }).fill(writer.password);
  await visitor.locator("main").getByRole("button", { name: "Sign In" }).click();
  await visitor.getByRole("link", { name: "OK" }).click();
  await expect(visitor.getByLabel("Leave a comment")).toHaveValue("A guest's words");
  await visitor.getByRole("button", { name: "post", exact: true }).click();
  await expect(visitor.locator("#comments li")).toHaveText([/A guest's words/]);
});

test("odd comments are shown as they are, fold when they are long, and break nothing", async ({
  open,
  postcard,
}) => {
  const writer = await signUp(postcard, { firstName: "<i>Odd</i>", secondName: "ليلى" });
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
