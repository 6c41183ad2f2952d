import type { Page } from "@playwright/test";
import { addMember, post } from "./support/members.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

/** The sidebar or the bottom bar, whichever this window shows. */
const ways = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).filter({ visible: true });

/** Outline and filled icons have different shapes. */
const drawn = (page: Page, name: string) =>
  ways(page).getByRole("link", { name, exact: true }).locator("use").getAttribute("href");

test("the sidebar has five ways for everybody, Sign In for visitors, Sign Out and Post for members", async ({
  open,
  postcard,
}) => {
  const five = ["Home", "Search", "Saved", "Profile", "Settings"];
  const visitor = await open(null, { viewport: desktop });
  await visitor.goto("/search");
  await expect(ways(visitor).getByRole("listitem")).toHaveText([...five, "Sign In"]);

  const member = await addMember(postcard, { firstName: "Side", secondName: "Bar" });
  const page = await open(member, { viewport: desktop });
  await page.goto("/settings");
  await expect(ways(page).getByRole("listitem")).toHaveText([...five, "Sign Out", "Post"]);
  for (const [name, path] of [
    ["Home", "/"],
    ["Search", "/search"],
    ["Saved", "/saved"],
    ["Profile", "/profile"],
    ["Settings", "/settings"],
    ["Post", "/upload"],
  ] as const) {
    await ways(page).getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(path);
  }
  // The page's content is to the right of it.
  const [sidebar, main] = [
    await ways(page).boundingBox(),
    await page.locator("main").boundingBox(),
  ];
  expect(main?.x).toBeGreaterThanOrEqual((sidebar?.x ?? 0) + (sidebar?.width ?? 0));
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(ways(page).getByRole("listitem")).toHaveText([...five, "Sign Out", "Post"]);
});

test("where one is, is highlighted with a filled icon: home exactly, the others with what is below them", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Act", secondName: "Ive" });
  const page = await open(member, { viewport: desktop });
  const current = ways(page).locator("a[aria-current=page]");
  await page.goto("/");
  await expect(current).toHaveText("Home");
  const [homeFilled, searchOutline] = [await drawn(page, "Home"), await drawn(page, "Search")];
  for (const path of ["/search", `/search?q=x`]) {
    await page.goto(path);
    await expect(current).toHaveText("Search");
    expect(await drawn(page, "Home")).not.toBe(homeFilled);
    expect(await drawn(page, "Search")).not.toBe(searchOutline);
  }
  const colourOf = (name: string) =>
    ways(page)
      .getByRole("link", { name, exact: true })
      .evaluate((link) => getComputedStyle(link).backgroundColor);
  expect(await colourOf("Search")).not.toBe(await colourOf("Home"));
  // The icons' sheet has loaded: its shapes have a size.
  const icons = await ways(page).locator("use").all();
  expect(icons.length).toBeGreaterThan(5);
  for (const icon of icons) {
    const width = () => icon.evaluate((use: SVGUseElement) => use.getBBox().width);
    await expect.poll(width).toBeGreaterThan(10);
  }
  await page.goto(`/profile/followers/${member.id}`);
  await expect(current).toHaveText("Profile");
  const other = await addMember(postcard, { firstName: "Some", secondName: "Body" });
  await page.goto(`/profile/followers/${other.id}`);
  await expect(page.getByRole("heading", { name: "Some Body" })).toBeVisible();
  await expect(current).toHaveCount(0);
});

test("small screens have a bottom bar of exactly four ways, for everybody", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Bottom", secondName: "Bar" });
  for (const who of [null, member]) {
    const page = await open(who, { viewport: phone });
    await page.goto("/search");
    const links = ways(page).getByRole("link");
    await expect(links).toHaveCount(4);
    const to = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(to).toEqual(["/", "/upload", "/search", "/profile"]);
    await expect(ways(page).locator("a[aria-current=page]")).toHaveAttribute("href", "/search");
    await expect(page.getByRole("banner").getByRole("link", { name: "Messages" })).toHaveCount(
      who ? 1 : 0,
    );
  }
});

test("after Sign Out, OK loads / anew, also on / itself", async ({ open, postcard }) => {
  for (const path of ["/", "/profile"]) {
    const member = await addMember(postcard, { firstName: "Out", secondName: "Going" });
    const page = await open(member, { viewport: desktop, expects: /status of 401/ });
    await page.goto(path);
    await page.evaluate(() => {
      document.body.dataset["before"] = "sign-out";
    });
    await ways(page).getByRole("button", { name: "Sign Out" }).click();
    const dialog = page.getByRole("dialog", { name: "Success" });
    await expect(dialog).toContainText("Signed Out Successfully");
    await expect(page).toHaveURL(path);
    await dialog.getByRole("button", { name: "OK" }).click();
    await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
    await expect(page).toHaveURL("/");
    await expect(page.locator("body[data-before]")).toHaveCount(0);
  }
});

test("Sign Out pressed before the scripts are there is confirmed until OK or Escape, on a visitor's page", async ({
  open,
  postcard,
}) => {
  const pressed = { "/profile": "OK", "/signOut": "Escape" };
  for (const [path, leave] of Object.entries(pressed)) {
    const member = await addMember(postcard, { firstName: "Early", secondName: "Bird" });
    const page = await open(member, {
      viewport: desktop,
      expects: /status of 401/,
      beforeScripts: true,
    });
    const alive = page.locator("html[data-alive]");
    const streams: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/events")) streams.push(request.url());
    });
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "commit" });
    const container = path === "/signOut" ? page.locator("main") : ways(page);
    await container.getByRole("button", { name: "Sign Out" }).click();
    const dialog = page.getByRole("dialog", { name: "Success" });
    await expect(dialog).toContainText("Signed Out Successfully");
    const visitors = async () => {
      await expect(page.getByText("Sign In", { exact: true }).first()).toBeVisible();
      const members = /^((Notifications|Messages)\b.*|Your menu|Sign Out|Post)$/;
      await expect(page.getByRole("link", { name: members })).toHaveCount(0);
      await expect(page.getByRole("button", { name: members })).toHaveCount(0);
    };
    await visitors();
    scripts.resolve();
    await expect(alive).toBeAttached();
    // Another tab signs in again: the page is reloaded, except for the message.
    const other = await page.context().newPage();
    await other.goto("/settings");
    const anew = page.waitForResponse(/\/signOut\.data/);
    // A channel has no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    await other.evaluate(() => new BroadcastChannel("postcard-session").postMessage("signed-in"));
    await anew;
    await expect(alive).toBeAttached();
    // As soon as the reloaded page is drawn: nothing else is to come.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await expect(page).toHaveURL("/signOut");
    await visitors();
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole("button", { name: "OK" })).toBeFocused();
    await page.keyboard.press(leave === "OK" ? "Enter" : leave);
    await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
    await expect(page).toHaveURL("/");
    expect(streams).toEqual([]);
  }
});

test("a shell that breaks ends in a plain page with a way out", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Bro", secondName: "Ken" });
  const page = await open(member, { expects: /./, beforeScripts: true });
  await page.route("**/assets/member-listeners-*.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: 'export function MemberListeners() { throw new Error("The shell is broken."); }',
    }),
  );
  await page.goto("/settings?tab=1");
  await expect(
    page.getByRole("heading", { name: "This page got held up on the way" }),
  ).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Try again" })).toHaveAttribute(
    "href",
    "/settings?tab=1",
  );
  await page.unrouteAll();
  await page.getByRole("link", { name: "Go home" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.locator("html[data-alive]")).toBeAttached();
});

test("a sign-out that fails says so and leaves everything as it is", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Stay", secondName: "Er" });
  const page = await open(member, {
    viewport: desktop,
    // 401: the stream of events may be opened again only once one is signed out.
    expects: /status of (?:401|500)|ERR_INTERNET_DISCONNECTED/,
  });
  await page.goto("/upload");
  const caption = page.getByLabel("Write a Caption");
  await caption.fill("Half a thought");
  const signOut = ways(page).getByRole("button", { name: "Sign Out" });
  const toast = page.getByText("You're still signed in. Please try again.");
  await page.route("**/signOut*", (route) => route.fulfill({ status: 500, body: "oops" }));
  await signOut.press("Enter");
  await expect(toast).toBeVisible();
  await expect(toast).toBeHidden();
  await page.unroute("**/signOut*");
  await page.context().setOffline(true);
  await signOut.press("Enter");
  await expect(toast).toBeVisible();
  await page.context().setOffline(false);
  await expect(caption).toHaveValue("Half a thought");
  await expect(page).toHaveURL("/upload");
  await signOut.press("Enter");
  await expect(page.getByText("Signed Out Successfully")).toBeVisible();
});

test("the loading screen of a sign-in goes after 2 seconds, or as soon as the member is known", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Gate", secondName: "Keeper" });
  for (const slow of [true, false]) {
    const page = await open(null);
    await page.goto("/signIn");
    const answer = Promise.withResolvers<void>();
    await page.route("**/signIn.data*", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password", { exact: true }).fill(member.password);
    await page.clock.install();
    await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
    const gate = page.getByText("Signing you in");
    await expect(gate).toBeVisible();
    if (slow) {
      await page.clock.fastForward(2000);
      await expect(gate).toBeHidden();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    answer.resolve();
    await expect(page.getByText("Signed In Successfully")).toBeVisible();
    await expect(gate).toBeHidden();
  }
});

test("the sign-in prompt is in no page that a member gets", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "No", secondName: "Flash" });
  const page = await open(member);
  for (const path of ["/", "/saved", "/profile", "/upload", "/chat", "/notifications"]) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(200);
    expect(await answer.text(), path).not.toContain("Please Sign In To Access This section");
  }
});

test("a dialog opens after 10 ms, keeps the focus inside, and Escape leaves it without an answer", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Dia", secondName: "Log" });
  const path = await post(postcard, writer, { caption: "Here to stay." });
  const page = await open(writer);
  await page.goto(path);
  const question = page.getByRole("button", { name: "Delete", exact: true });
  const dialog = page.getByRole("dialog");
  await question.click();
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("button")).toHaveText(["Cancel", "Delete"]);
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(
      () => document.activeElement?.closest("dialog, body")?.tagName,
    );
    // After the last control come the browser's own, never the page.
    expect(["DIALOG", "BODY"]).toContain(outside);
    await expect(page.locator("main :focus")).toHaveCount(0);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(question).toBeFocused();

  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await question.click();
  await expect(page.locator("dialog")).toBeAttached();
  await page.clock.runFor(9);
  expect(await page.locator("dialog[open]").count()).toBe(0);
  await page.clock.runFor(1);
  await expect(dialog).toBeVisible();
});

test("a toast is 350 px wide at most and gone after 4 seconds", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Toa", secondName: "Ster" });
  const path = await post(postcard, writer, { caption: "Like me." });
  const page = await open(writer, { viewport: desktop, expects: /status of 500/ });
  await page.route("**/api/posts/*/*/like", (route) =>
    route.fulfill({ status: 500, body: "oops" }),
  );
  await page.goto(path);
  await page.clock.install();
  await page.getByRole("button", { name: "Like", exact: true }).press("Enter");
  const toast = page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  await expect(toast).toContainText("Couldn't like this post.");
  const box = await toast.boundingBox();
  expect(box?.width).toBeGreaterThan(300);
  expect(box?.width).toBeLessThanOrEqual(350);
  await page.clock.fastForward(3000);
  await expect(toast).toBeVisible();
  await page.clock.fastForward(1500);
  await expect(toast).toHaveCount(0);
});

test("a page that cannot be loaded leaves the member's shell, and the theme as it was", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Still", secondName: "Here" });
  const page = await open(member, {
    viewport: desktop,
    theme: "synthwave",
    expects: /status of 500|ERR_INTERNET_DISCONNECTED/,
  });
  await page.goto("/settings");
  await page.route("**/saved.data*", (route) => route.fulfill({ status: 500, body: "" }));
  await ways(page).getByRole("link", { name: "Saved" }).click();
  await expect(page.getByText("This page got held up on the way")).toBeVisible();
  await expect(ways(page).getByRole("button", { name: "Sign Out" })).toBeVisible();
  await expect(ways(page).getByRole("link", { name: "Sign In" })).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "synthwave");

  await page.unroute("**/saved.data*");
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Saved" })).toBeVisible();
});
