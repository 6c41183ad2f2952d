import { archiveOf, bringArchive } from "../support/archives.ts";
import type { Page } from "@playwright/test";
import { chatPath } from "../support/chats.ts";
import { query } from "../support/installation.ts";
import { enter, post } from "../support/members.ts";
import { albums } from "./albums.ts";
import { apps } from "./apps.ts";
import { bring } from "./bring.ts";
import { collections } from "./collections.ts";
import { guide, pageOf, press, signInByForm, type Tour } from "./guide.ts";
import { languages } from "./languages.ts";
import { firstDay, otherWindows } from "./other-windows.ts";
import { failing, narrow, odd, onPaper, withFewColours } from "./rare-states.ts";

async function visitor(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  const { staged } = tour;
  await see("door", () => page.goto("/"));
  await see("guard-prompt", () => page.goto("/saved"));
  await see("sign-in", () => page.goto("/signIn"));
  await see("sign-in-required", () => press(page, "Sign In"));
  await see("sign-in-refused", async () => {
    await page.getByLabel("Email").fill("somebody@example.org");
    await page.getByLabel("Password", { exact: true }).fill("not the right one");
    await press(page, "Sign In");
    await page.getByText("Wrong password or email").first().waitFor();
  });
  await see("forgot-password", async () => {
    await page.goto("/signIn");
    await page.getByText("Forgot password?").click();
    await page.locator("dialog[open]").waitFor();
  });
  await see("forgot-password-refused", async () => {
    await page.locator("dialog input").fill("no address");
    await press(page, "Ask for a link");
    await page.getByText("Invalid email address").waitFor();
  });
  await see("forgot-password-page", () => page.goto("/signIn/forgot"));
  await see("mailed-link-gone", () => page.goto("/signIn/reset/no-such-token"));
  await see("confirm-link-gone", () => page.goto("/verify/no-such-token"));
  await see("keep-link-gone", () => page.goto("/keepEmail/no-such-token"));
  await see("sign-in-code", () => page.goto("/signIn/code"));
  await see("sign-up", () => page.goto("/signUp"), { whole: true });
  await see("sign-up-required", () => press(page, "Sign Up"), { whole: true });
  await see("loading-gate", async () => {
    await page.goto("/signIn");
    await page.route("**/signIn*", async (route) => {
      if (route.request().method() === "POST") await new Promise((go) => setTimeout(go, 3_000));
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel("Email").fill("somebody@example.org");
    await page.getByLabel("Password", { exact: true }).fill("not the right one");
    await press(page, "Sign In");
    await page.locator("output svg").first().waitFor();
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await see("visitor-search", () => page.goto("/search"));
  await see("visitor-account", () => page.goto(`/search/${staged.tomas.id}`));
  await see("visitor-post", () => page.goto(staged.talked));
  await see("visitor-settings", () => page.goto("/settings"));
  await see("not-found", () => page.goto("/nowhere/at/all"));
  await see("post-gone", () => page.goto(`/post/${staged.tomas.username}/99`));
  await see("goodbye", () => page.goto("/goodbye"));
  await context.close();
}

async function resident(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("signed-in", async () => {
    await page.goto("/signIn");
    await page.getByLabel("Email").fill(tour.resident.email);
    await page.getByLabel("Password", { exact: true }).fill(tour.resident.password);
    await press(page, "Sign In");
    await page.getByText("Signed In Successfully").waitFor();
  });
  await see("home", async () => {
    await page.goto("/");
    const rail = page.locator("aside").getByText("People to follow");
    if ((page.viewportSize()?.width ?? 0) > 1000) await rail.waitFor();
  });
  await see("home-further", async () => {
    await page.mouse.wheel(0, 1500);
    await page.waitForTimeout(1000);
  });
  await see("home-words", async () => {
    await page.locator("main article:not(:has(img[sizes]))").first().scrollIntoViewIfNeeded();
  });
  await see("home-new-posts", async () => {
    await page.route("**/api/feed/newer**", (route) => route.fulfill({ json: { count: 3 } }));
    await page.clock.install();
    await page.goto("/");
    await page.clock.fastForward(61_000);
    await page.getByRole("button", { name: "3 new posts" }).waitFor();
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();

  const later = await pageOf(await tour.browse());
  await signInByForm(later, tour.resident, tour.url);
  const look = guide(later, tour.camera, missed);
  await look("slow-line", async () => {
    await later.route("**/api/feed?**", () => undefined);
    await later.goto("/");
    await later.locator("main article").last().scrollIntoViewIfNeeded();
    await later.locator("main .motion-sheen").last().scrollIntoViewIfNeeded();
  });
  await later.unrouteAll({ behavior: "ignoreErrors" });
  await look("home-not-loaded", async () => {
    // The same address again would be a reload, which finds the whole list as it was.
    await later.goto("/settings");
    await later.route("**/api/feed?**", (route) => route.abort());
    await later.goto("/");
    await later.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await later.getByText("More didn't load.").scrollIntoViewIfNeeded();
  });
  await later.unrouteAll({ behavior: "ignoreErrors" });
  await look("profile", () => later.goto("/profile"));
  await look("profile-words", () => later.goto("/profile?tab=texts"));
  await look("saved", () => later.goto("/saved"));
  await look("saved-words", () => later.goto("/saved?tab=texts"));
  await look("notifications", () => later.goto("/notifications"));
  await look("search-results", async () => {
    await later.goto("/search");
    await later.locator("main input[type=search]").pressSequentially("ma", { delay: 40 });
    await later.locator("main li").first().waitFor();
  });
  await look("followers", async () => {
    await later.goto("/profile");
    await later
      .getByRole("link", { name: /followers?$/ })
      .first()
      .click();
    await later.waitForURL(/followers/);
  });
  await look("following", async () => {
    await later.goto("/profile");
    await later.getByRole("link", { name: /following$/ }).click();
    await later.waitForURL(/following/);
  });
  await look("post-own", async () => {
    await later.goto("/profile");
    await later.locator("main a[href^='/post/']").first().click();
    await later.waitForURL(/\/post\//);
  });
  await later.context().close();
}

async function member(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  const { staged, url } = tour;
  await enter(context, url, staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("home-end", async () => {
    await page.goto("/");
    await page.getByText("You're all caught up.").scrollIntoViewIfNeeded();
  });
  await see("post", () => page.goto(staged.talked));
  await see("post-comments", async () => {
    await page.locator("#comments").scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 500);
  });
  await see("post-comment-required", async () => {
    await page.goto(staged.words);
    await press(page, "post");
    await page.getByText("required*").waitFor();
  });
  await see("post-words", () => page.goto(staged.words));
  await see("post-warned", () => page.goto(staged.warned));
  await see("post-typing", () =>
    page
      .getByLabel("Leave a comment")
      .fill("Was it a good chair? I mean: would you sit in it again"),
  );
  await see("post-failed", async () => {
    await page.route("**/api/posts/**", (route) => route.abort());
    await page.locator("[data-shortcut=like]").click();
    await page.getByText("We couldn't reach Postcard", { exact: false }).first().waitFor();
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await see("large-picture", async () => {
    await page.goto(staged.talked);
    await page.getByRole("link", { name: "A harbour" }).click();
    await page.locator("dialog[open]").waitFor();
    await page.waitForTimeout(500);
  });
  await see("delete-post", async () => {
    await page.goto(staged.own);
    await press(page, "Delete");
    await page.locator("dialog[open]").waitFor();
  });
  await see("account", () => page.goto(`/search/${staged.tomas.id}`));
  await see("account-note", async () => {
    await page.getByText("Add a note").click();
    await page.getByLabel("Your note about").fill("Met at the harbour in Bergen. Likes geese.");
  });
  await see("account-words", () => page.goto(`/search/${staged.tomas.id}?tab=texts`));
  await see("unfollow", async () => {
    await page.goto(`/search/${staged.tomas.id}`);
    await press(page, "Following");
    await page.locator("dialog[open]").waitFor();
  });
  await see("mute-or-block", async () => {
    await page.goto(`/search/${staged.tomas.id}`);
    await page.getByRole("button", { name: "Mute, block or report" }).first().click();
    await page.locator("dialog[open]").waitFor();
  });
  await see("search", () => page.goto("/search"));
  await see("search-none", () => page.goto("/search?q=zzzzqq"));
  await see("search-required", async () => {
    await page.goto("/search");
    await page.locator("main input[type=search]").press("Enter");
    await page.getByText("required*").waitFor();
  });
  await see("composer", () => page.goto("/upload"));
  await see("composer-required", async () => {
    await press(page, "Post");
    await page.getByText("Add a photo or write something").waitFor();
  });
  await see("composer-words", async () => {
    await page.goto("/upload");
    await page
      .getByLabel("Write a Caption")
      .fill("It rained on the washing, so we left it there to be rinsed.");
  });
  await see("composer-photo", async () => {
    await page.locator("main input[type=file]").setInputFiles(staged.photo);
    await page.getByAltText("Your choice").waitFor();
    await page.waitForTimeout(1500);
  });
  await see("composer-warned", async () => {
    await page.getByText("Content warning").first().click();
    await page.getByLabel("What should people know first?").fill("Heights");
  });
  await see("composer-too-long", () =>
    page.getByLabel("Write a Caption").fill("word ".repeat(441)),
  );
  await see("composer-unreadable", async () => {
    await page.goto("/upload");
    const broken = { name: "a.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
    await page.locator("main input[type=file]").setInputFiles(broken);
    await page.waitForTimeout(1500);
  });
  await see("uploading", async () => {
    await page.goto("/upload");
    // What was chosen before is a draft by now.
    const remove = page.getByRole("button", { name: /^Remove (the )?photo/ });
    await remove.first().waitFor();
    while ((await remove.count()) > 0) await remove.first().click();
    await page.locator("main input[type=file]").setInputFiles(staged.photo);
    await page.route("**/api/posts", () => undefined);
    await page.getByLabel("Write a Caption").fill("On its way.");
    await press(page, "Post");
    await page.getByText("Uploading").first().waitFor();
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await see("edit-profile", () => page.goto("/profile/edit"), { whole: true });
  await see("edit-profile-required", async () => {
    await page.getByLabel("First name").fill("");
    await press(page, "Save Changes");
    await page.getByText("required*").waitFor();
  });
  await see("edit-profile-website", async () => {
    await page.goto("/profile/edit");
    await press(page, /website/i, false);
    await page.locator("dialog input").fill("example");
    await press(page, "OK");
    await page.getByText("Invalid URL").waitFor();
  });
  await see("settings", () => page.goto("/settings"), { whole: true });
  await see("settings-email", () => page.goto("/settings/email"), { whole: true });
  await see("settings-security", () => page.goto("/settings/security"), { whole: true });
  await see("settings-security-activity", () => page.goto("/settings/security/activity"));
  await see("settings-devices", () => page.goto("/settings/security?change=devices"));
  await see("settings-delete", () => page.goto("/settings/delete"), { whole: true });
  await see("settings-notifications", () => page.goto("/settings/notifications"), { whole: true });
  await see("settings-data", () => page.goto("/settings/data"), { whole: true });
  await see("settings-blocked", async () => {
    await fetch(`${url}/api/blocks/${staged.newcomer.id}`, {
      method: "PUT",
      headers: { Origin: url, cookie: staged.nora.cookie },
    });
    await page.goto("/settings/blocked");
  });
  await see("account-blocked", () => page.goto(`/search/${staged.newcomer.id}`));
  await see("help-sheet", async () => {
    await page.goto("/settings");
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
  });
  await see("menu", async () => {
    await page.goto("/saved");
    const menu = page.getByRole("button", { name: "Your menu" });
    if (await menu.isVisible()) await menu.click();
  });
  await see("toast", async () => {
    await page.goto(staged.words);
    await page.evaluate(() =>
      Object.defineProperty(navigator, "share", { configurable: true, value: undefined }),
    );
    await page.getByRole("button", { name: "Share" }).first().click();
    await page.getByText("Link copied").waitFor();
  });
  await see("server-error", async () => {
    await page.goto("/settings");
    await page.route("**/*.data*", (route) => route.fulfill({ status: 500, body: "" }));
    await page.locator("a[href='/saved']:visible, a[href='/search']:visible").first().click();
    await page.locator("main h1").waitFor();
    await page.waitForTimeout(800);
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await see("away", async () => {
    await page.goto("/settings");
    await page.route("**/*.data*", (route) => route.abort());
    await page.locator("a[href='/saved']:visible, a[href='/search']:visible").first().click();
    await page.waitForTimeout(800);
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await see("keyboard-focus", async () => {
    await page.goto("/");
    for (let tab = 0; tab < 3; tab += 1) await page.keyboard.press("Tab");
  });
  await context.close();

  // A separate session: the other one is needed at the next width.
  const leaving = await pageOf(await tour.browse());
  await guide(
    leaving,
    tour.camera,
    missed,
  )("signed-out", async () => {
    await signInByForm(leaving, staged.nora, url);
    await leaving.goto("/profile");
    await leaving.getByRole("button", { name: "Sign Out" }).last().click();
    await leaving.locator("dialog[open]").waitFor();
  });
  await leaving.context().close();
}

async function correspondent(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  const { staged, url } = tour;
  await enter(context, url, staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("chats", () => page.goto("/chat"));
  await see("chat", async () => {
    await page.goto(chatPath(staged.nora, staged.tomas));
    await page.getByRole("log").waitFor();
  });
  await see("chat-typing", () =>
    page.getByRole("textbox", { name: /^Message to / }).fill("I will bring the tar\nand two rolls"),
  );
  await see("chat-failed", async () => {
    await page.route("**/api/chats/*/messages", (route) => route.abort());
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.waitForTimeout(1500);
  });
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
}

async function newcomer(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  await enter(context, tour.url, tour.staged.newcomer);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("home-empty", () => page.goto("/"));
  await see("saved-empty", () => page.goto("/saved"));
  await see("saved-words-empty", () => page.goto("/saved?tab=texts"));
  await see("profile-empty", () => page.goto("/profile"));
  await see("notifications-empty", () => page.goto("/notifications"));
  await see("chats-empty", () => page.goto("/chat"));
  await see("followers-empty", () => page.goto(`/profile/followers/${tour.staged.newcomer.id}`));
  await context.close();
  const other = await tour.browse();
  await enter(other, tour.url, tour.staged.nameless);
  const nameless = await pageOf(other);
  await guide(
    nameless,
    tour.camera,
    missed,
  )("edit-profile-nameless", () => nameless.goto("/profile/edit"));
  const seeBrought = guide(nameless, tour.camera, missed);
  await seeBrought("imported-messages", async () => {
    const { nora, nameless: owner } = tour.staged;
    await bringArchive(tour.url, owner, await archiveOf(tour.url, nora));
    await nameless.goto("/settings/data/messages");
    await nameless.getByRole("link", { name: tour.staged.tomas.name }).waitFor();
  });
  await seeBrought("imported-thread", async () => {
    await nameless.getByRole("link", { name: tour.staged.tomas.name }).click();
    await nameless.getByText("A copy from your archive").waitFor();
  });
  await seeBrought("imported-thread-delete", async () => {
    await nameless.getByRole("link", { name: "Delete this copy" }).click();
    await nameless.getByRole("button", { name: "Delete" }).waitFor();
  });
  await seeBrought("chats-imported", () => nameless.goto("/chat"));
  await other.close();
}

/** Reports, verdicts and answers, what a member muted or blocked, and the operator's pages. */
async function moderator(tour: Tour, missed: string[]): Promise<void> {
  const { staged, url } = tour;
  const { newcomer, nora, tomas } = staged;
  const caption = "Buy my coins. They are real, I had one valued.";
  const path = await post(url, newcomer, { caption });
  const reading = await tour.browse();
  await enter(reading, url, tomas);
  const page = await pageOf(reading);
  const see = guide(page, tour.camera, missed);
  await see("rules", () => page.goto("/rules"));
  await see("report", async () => {
    await page.goto(path);
    await page.getByRole("button", { name: /^Options for this post/ }).click();
    await page.getByRole("link", { name: "Report", exact: true }).click();
    await page.locator("dialog[open]").waitFor();
  });
  await see("reported", async () => {
    await page.getByLabel("Spam or a scam").check();
    await page.getByLabel("In your own words").fill("The third today");
    await press(page, "Report");
    await page.getByText("Thank you. Moderators will look at it.").waitFor();
  });
  await see("muted-words", () => page.goto("/settings/words"));
  await see("close-friends", () => page.goto("/settings/friends"));
  await see("private-account", () => page.goto("/settings/private?private=on"));
  await see("follow-requests", () => page.goto("/follow-requests"));
  await see("own-reports", () => page.goto("/settings/reports?tab=reports"));
  await query(url, "update accounts set role = 'moderator' where id = $1", [nora.id]);
  const deciding = await tour.browse();
  await enter(deciding, url, nora);
  const moderatorPage = await pageOf(deciding);
  const look = guide(moderatorPage, tour.camera, missed);
  await look("moderation", () => moderatorPage.goto("/moderation"));
  await look(
    "moderation-case",
    async () => {
      await moderatorPage.getByRole("link", { name: /^A post by/ }).click();
      await moderatorPage.getByLabel("Suspend the account").check();
    },
    { whole: true },
  );
  await look("moderation-none", async () => {
    await moderatorPage.getByRole("radio", { name: "Remove the post" }).check();
    await moderatorPage
      .getByRole("textbox", { name: "Your reason" })
      .fill("No adverts here, please");
    await press(moderatorPage, "Decide");
    await moderatorPage.getByText("All clear").waitFor();
  });
  await look("moderation-log", () =>
    moderatorPage.getByRole("link", { name: "Log", exact: true }).click(),
  );
  await query(url, "update accounts set role = 'operator' where id = $1", [nora.id]);
  for (const part of ["", "/people", `/people/${newcomer.id}`, "/invitations", "/place", "/log"]) {
    const name = part.includes(newcomer.id) ? "person" : part.slice(1) || "standing";
    await look(`operator-${name}`, () => moderatorPage.goto(`/operator${part}`), { whole: true });
  }
  const judged = await tour.browse();
  await enter(judged, url, newcomer);
  const concerned = await pageOf(judged);
  await guide(concerned, tour.camera, missed)("verdict", () => concerned.goto("/settings/reports"));
  await Promise.all([reading.close(), deciding.close(), judged.close()]);
}

async function withoutScripts(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse({ javaScriptEnabled: false });
  await enter(context, tour.url, tour.staged.tomas);
  const page: Page = await context.newPage();
  const see = guide(page, tour.camera, missed);
  await see("no-scripts-home", () => page.goto("/"));
  await see("no-scripts-post", () => page.goto(tour.staged.talked));
  await see("no-scripts-upload", () => page.goto("/upload"));
  await see("no-scripts-edit-profile", () => page.goto("/profile/edit"));
  await context.close();
}

/** Every screen and state; returns those that could not be shown, a line each. */
export async function walk(tour: Tour, only: string[]): Promise<string[]> {
  const parts: Record<string, (tour: Tour, missed: string[]) => Promise<void>> = {
    visitor,
    resident,
    newcomer,
    withoutScripts,
    member,
    moderator,
    correspondent,
    albums,
    collections,
    apps,
    bring,
    languages,
    firstDay,
    otherWindows,
    ...(tour.oddities && { failing, odd, narrow, withFewColours, onPaper }),
  };
  const missed: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (only.length > 0 && !only.includes(name)) continue;
    await part(tour, missed).catch((error: Error) => missed.push(`${name}: ${error.message}`));
  }
  return missed;
}
