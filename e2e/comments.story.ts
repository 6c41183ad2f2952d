import { comment, signInHere } from "./support/acts.ts";
import { addMember, post } from "./support/members.ts";
import { expect, expectNoSidewaysScroll, test, expectAnswered } from "./support/stories.ts";

const oops = { status: 500, body: "oops" };

test("a comment stands in the list and is counted at once, oldest first, without a reload", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Clara", secondName: "Comment" });
  const reader = await addMember(postcard, { firstName: "Tom", secondName: "Talks" });
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
  // Somebody else was faster: their comment appears, too.
  await comment(postcard, writer, path, "I begin.");
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.getByRole("heading", { name: "2 comments" })).toBeVisible();
  const rows = page.locator("#comments li");
  await expect(rows).toHaveText([
    /^Clara Comment.*I begin\./,
    /^Tom Talks.*Lovely {2}☀️\n<b>not bold/,
  ]);
  await expect(field).toHaveValue("");
  await expect(page.getByText("Comment posted. 2 comments in all.")).toBeAttached();
  await expect(page.getByRole("article").getByText("2 comments", { exact: true })).toBeAttached();

  // By keyboard alone, and the same words once more: two comments, because both were meant.
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
  const writer = await addMember(postcard, { firstName: "Con", secondName: "Cise" });
  const path = await post(postcard, writer, { caption: "Be brief." });
  const page = await open(writer);
  let sent = 0;
  await page.route("**/api/posts/*/*/comments", (route) => {
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
  // A family emoji is one character.
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

test("a comment stands there at once, and one that was not sent keeps its words until it is tried again", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Bea", secondName: "Brave" });
  const path = await post(postcard, writer, { caption: "Say it." });
  const page = await open(writer, {
    expects: /status of 500|ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
  });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const row = page.locator("#comments li");
  const again = page.getByRole("button", { name: "Try again" });
  const calls = "**/api/posts/*/*/comments";

  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await held;
    await route.fulfill(oops);
  });
  await field.fill("Kept through everything");
  await page.getByRole("button", { name: "post", exact: true }).click();
  // Before there is an answer.
  await expect(row).toHaveText([/Kept through everything.*Sending/]);
  await expect(field).toHaveValue("");
  answer();
  await expect(row.getByRole("alert")).toHaveText(/Not posted\. Something went wrong on our side/);
  await page.unroute(calls);

  await page.context().setOffline(true);
  await again.click();
  await expect(row.getByRole("alert")).toHaveText(/Not posted\. We couldn't reach Postcard/);
  await expect(row).toHaveText([/Kept through everything/]);
  await expect(page.getByText("No comments yet")).toBeVisible();
  await page.context().setOffline(false);

  // The answer is lost on the way back, after the comment was saved. The stream's event about it arrives as
  // usual.
  await page.route(calls, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  const lost = page.waitForEvent("requestfailed", (one) => one.method() === "POST");
  await again.click();
  await lost;
  await expect(row.getByRole("alert")).toHaveText(/We couldn't reach Postcard/);
  await page.unroute(calls);
  // A reloaded page shows it as it was, and sends nothing; "Try again" sends the same comment.
  let posted = 0;
  page.on(
    "request",
    (one) => (posted += Number(one.method() === "POST" && /comments/.test(one.url()))),
  );
  await page.reload();
  await expect(row.getByRole("alert")).toHaveText(/Not posted\. We couldn't reach Postcard/);
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Home" }).first().click();
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(row.getByRole("alert")).toHaveText(/Not posted/);
  expect(posted).toBe(0);
  await again.click();
  await expect(page.getByText("Comment posted. 1 comment in all.")).toBeAttached();
  expect(posted).toBe(1);
  await expect(again).toHaveCount(0);
  await expect(row).toHaveText([/Kept through everything/]);
  await expectAnswered(page);
  await page.reload();
  await expect(row).toHaveText([/Kept through everything/]);
});

test("a comment whose page was left while sending is sent by itself; a failed one waits, and for its own account", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Re", secondName: "Load" });
  const other = await addMember(postcard, { firstName: "An", secondName: "Other" });
  const path = await post(postcard, writer, { caption: "Wait for it." });
  const page = await open(writer, { expects: /status of 50\d|ERR_FAILED|ERR_ABORTED/ });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const row = page.locator("#comments li");
  const calls = "**/api/posts/*/*/comments";

  // No answer comes before the page is left: the result is unknown.
  let sent = 0;
  await page.route(calls, (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent += 1;
    return sent === 1 ? undefined : route.continue();
  });
  await field.fill("On its way");
  await field.press("Control+Enter");
  await expect(row).toHaveText([/On its way.*Sending/]);
  await page.reload();
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await expect(row).toHaveText([/On its way/]);
  await expect(page.getByText("Sending")).toHaveCount(0);
  expect(sent).toBe(2);
  await page.unroute(calls);

  await page.route(calls, (route) => route.fulfill(oops));
  await field.fill("Marked");
  await field.press("Control+Enter");
  await expect(row.getByRole("alert")).toHaveText(/Not posted/);
  await page.unroute(calls);
  // A tab that was opened from this one has the same draft, and does not send it either.
  const [tab] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate((to) => void window.open(to), path),
  ]);
  await expect(tab.locator("#comments li").getByRole("alert")).toHaveText(/Not posted/);

  // The page's session ended, and somebody else signed in here: nothing is sent in their name.
  const { cookies } = await (await open(other)).context().storageState();
  await page.context().addCookies(cookies);
  await tab.getByRole("button", { name: "Try again" }).click();
  await expect(tab).not.toHaveURL(new RegExp(`${path}$`));
  await page.goto(path);
  await expect(row).toHaveText([/On its way/]);
  await expect(field).toHaveValue("");
});

test("a comment that was not sent can be discarded, and others are sent beside it", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Dis", secondName: "Card" });
  const path = await post(postcard, writer, { caption: "Say it well." });
  const page = await open(writer, { expects: /ERR_FAILED/ });
  await page.goto(path);
  const field = page.getByLabel("Leave a comment");
  const row = page.locator("#comments li");
  await page.route("**/api/posts/*/*/comments", (route) =>
    route.request().postData()?.includes("Not this") ? route.abort() : route.continue(),
  );
  for (const words of ["Not this", "But this"]) {
    await field.fill(words);
    await field.press("Control+Enter");
  }
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await expect(row).toHaveCount(2);
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(row).toHaveText([/But this/]);
  await page.reload();
  await expect(row).toHaveText([/But this/]);
  await expect(page.getByText("Sending")).toHaveCount(0);
});

test("a double submit makes one comment, and two tabs show each other's", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Dub", secondName: "Double" });
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

test("a visitor who comments signs in, comes back, and the words are still there", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Wel", secondName: "Come" });
  const reader = await addMember(postcard, { firstName: "New", secondName: "Comer" });
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

  // Signed out midway: the same.
  await page.getByLabel("Leave a comment").fill("And once more");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?returnTo=/);
  await signInHere(page, reader);
  await expect(page.getByLabel("Leave a comment")).toHaveValue("And once more");
});
