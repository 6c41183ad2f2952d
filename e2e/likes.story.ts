import { apiPath, signInHere, holdBack } from "./support/acts.ts";
import { goDownTo, goTo, listed } from "./support/long-lists.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

test("a like fills the heart at once, and the count changes when it is saved", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Lise", secondName: "Liked" });
  const reader = await addMember(postcard, { firstName: "Hanna", secondName: "Heart" });
  const path = await post(postcard, writer, { photo: await plainPhoto("#a05060", 800, 600) });
  await follow(postcard, reader, writer);
  const page = await open(reader);
  await page.goto("/");
  const heart = page.getByRole("button", { name: "Like", exact: true });
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();

  const sent = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route("**/api/posts/*/*/like", async (route) => {
    sent.resolve();
    await answered.promise;
    await route.continue();
  });
  await heart.press("Enter");
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  // Being sent, not saved: it isn't counted yet.
  await sent.promise;
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
  answered.resolve();
  await expect(page.getByText("1 like", { exact: true })).toBeAttached();
  await page.unroute("**/api/posts/*/*/like");

  // The same everywhere: on the post's page, and back in the feed.
  await page.getByRole("link", { name: "Open this post" }).click();
  await expect(page).toHaveURL(path);
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
  await page.goBack();
  await expect(page).toHaveURL("/");
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
});

test("rapid clicks on the heart settle on the last click", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Quick", secondName: "Writer" });
  const reader = await addMember(postcard, { firstName: "Quick", secondName: "Fingers" });
  const path = await post(postcard, writer, { caption: "Click me." });
  const page = await open(reader);
  await page.goto(path);
  const heart = page.getByRole("button", { name: "Like", exact: true });
  const { methods, release } = await holdBack(page, "**/api/posts/*/*/like");
  for (let click = 0; click < 7; click += 1) await heart.click();
  release();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("1 like", { exact: true })).toBeAttached();
  await expectAnswered(page);
  // Seven clicks: the last choice equals the first, so one request is enough.
  expect(methods).toEqual(["PUT"]);
  await heart.click();
  await heart.click();
  await heart.click();
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
  await expectAnswered(page);
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
});

test("a like that cannot be saved turns back and says so", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Un", secondName: "Liked" });
  const reader = await addMember(postcard, { firstName: "Bad", secondName: "Line" });
  const path = await post(postcard, writer, { caption: "Like me if you can." });
  const page = await open(reader, { expects: /status of (404|500)|ERR_INTERNET_DISCONNECTED/ });
  await page.goto(path);
  const heart = page.getByRole("button", { name: "Like", exact: true });

  await page.route("**/api/posts/*/*/like", (route) =>
    route.fulfill({ status: 500, body: "oops" }),
  );
  await heart.click();
  await expect(
    page.getByText("Couldn't like this post. Something went wrong on our side."),
  ).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByText("0 likes", { exact: true })).toBeAttached();
  await page.unroute("**/api/posts/*/*/like");

  await page.context().setOffline(true);
  await heart.click();
  await expect(
    page.getByText("Couldn't like this post. We couldn't reach Postcard."),
  ).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await page.context().setOffline(false);

  await heart.click();
  await expect(page.getByText("1 like", { exact: true })).toBeAttached();
  await page.route("**/api/posts/*/*/like", (route) =>
    route.fulfill({ status: 500, body: "oops" }),
  );
  await heart.click();
  await expect(page.getByText("Couldn't unlike this post.")).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText("1 like", { exact: true })).toBeAttached();
  await page.unroute("**/api/posts/*/*/like");

  // The post is deleted while the reader looks at it.
  await fetch(postcard + apiPath(path), {
    method: "DELETE",
    headers: { Origin: postcard, cookie: writer.cookie },
  });
  // By key: the mouse still rests on the toasts, which keeps them visible.
  await heart.press("Enter");
  await expect(page.getByText("This post no longer exists.")).toBeVisible();
});

test("one member likes once, in however many tabs, and two like twice", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Two", secondName: "Tabs" });
  const path = await post(postcard, writer, { caption: "Twice." });
  const first = await open(writer);
  await first.goto(path);
  const second = await first.context().newPage();
  await second.goto(path);
  for (const tab of [first, second]) {
    const heart = tab.getByRole("button", { name: "Like", exact: true });
    await expect(heart).toHaveAttribute("aria-pressed", "false");
    await heart.click();
    await expect(tab.getByText("1 like", { exact: true })).toBeAttached();
  }
  const other = await open(await addMember(postcard, { firstName: "Some", secondName: "One" }));
  await other.goto(path);
  await other.getByRole("button", { name: "Like", exact: true }).click();
  await expect(other.getByText("2 likes", { exact: true })).toBeAttached();
});

test("a visitor who likes or saves is sent to sign in and comes back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Gast", secondName: "Geber" });
  const reader = await addMember(postcard, { firstName: "Gina", secondName: "Guest" });
  const path = await post(postcard, writer, { caption: "For everybody." });
  for (const name of ["Like", "Save"]) {
    const page = await open(null);
    await page.goto(path);
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page).toHaveURL(/\/signIn\?returnTo=/);
    await signInHere(page, reader);
    await expect(page).toHaveURL(new RegExp(`${path}(#.*)?$`));
    await page.getByRole("button", { name, exact: true }).click();
    if (name === "Like") await expect(page.getByText("1 like", { exact: true })).toBeAttached();
    else await expect(page.getByRole("button", { name: "UnSave" })).toBeVisible();
  }
});

test("without scripts one likes, saves and comes back to the very post", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Writer" });
  const reader = await addMember(postcard, { firstName: "Plain", secondName: "Liker" });
  for (const caption of ["First.", "Second.", "Third."]) await post(postcard, writer, { caption });
  await follow(postcard, reader, writer);
  const page = await open(reader, { javaScriptEnabled: false });
  await page.goto("/");
  const card = page.getByRole("article").filter({ hasText: "First." });
  await card.getByRole("button", { name: "Like", exact: true }).click();
  await expect(page).toHaveURL(/\/#[0-9a-f-]{36}$/);
  await expect(card).toBeInViewport();
  await expect(card.getByText("1 like", { exact: true })).toBeAttached();
  const heart = card.getByRole("button", { name: "Like", exact: true });
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await heart.click();
  await expect(card.getByText("0 likes", { exact: true })).toBeAttached();
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect(card.getByRole("button", { name: "UnSave", exact: true })).toBeVisible();
  await page.goto("/saved?tab=texts");
  await expect(page.getByRole("article")).toContainText("First.");

  const visitor = await open(null, { javaScriptEnabled: false });
  await visitor.goto(`/post/${writer.username}/1`);
  await visitor.getByRole("button", { name: "Like", exact: true }).click();
  await expect(visitor).toHaveURL(/\/signIn\?returnTo=/);
});

test("far down in a feed a post stays as one left it, after leaving and coming back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Deep", secondName: "Down" });
  const reader = await addMember(postcard, { firstName: "Scroll", secondName: "Er" });
  for (let note = 1; note <= 30; note += 1) {
    await post(postcard, writer, { caption: `Note ${note}.` });
  }
  await follow(postcard, reader, writer);
  const page = await open(reader);
  await page.goto("/");
  const cards = page.getByRole("article");
  await goDownTo(page, 30);
  await goTo(page, 30 - 3);
  const card = cards.filter({ hasText: "Note 3." });
  const heart = card.getByRole("button", { name: "Like", exact: true });
  await heart.click();
  await expect(card.getByText("1 like", { exact: true })).toBeAttached();
  await card.getByRole("link", { name: "0 comments" }).click();
  await page.getByLabel("Leave a comment").fill("From down here");
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.getByRole("heading", { name: "1 comment", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: "UnSave" })).toBeVisible();
  await expectAnswered(page);
  await page.goBack();
  await expect.poll(() => listed(page)).toBe(30);
  await expect(card).toBeInViewport();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(card.getByText("1 like", { exact: true })).toBeAttached();
  await expect(card.getByRole("button", { name: "UnSave" })).toBeVisible();
  await expect(card.getByRole("list", { name: "Newest comments" })).toContainText("From down here");
});
