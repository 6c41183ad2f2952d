import { chatPath } from "../support/chats.ts";
import { enter } from "../support/members.ts";
import { guide, pageOf, press, type Tour } from "./guide.ts";

/** What is shown when the server or the connection fails midway. */
export async function failing(tour: Tour, missed: string[]): Promise<void> {
  const context = await tour.browse();
  const { nora, tomas, photo, talked } = tour.staged;
  await enter(context, tour.url, nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  const whole = () => page.unrouteAll({ behavior: "ignoreErrors" });
  await see("composer-failed", async () => {
    await page.goto("/upload");
    await page.locator("main input[type=file]").setInputFiles(photo);
    await page.getByLabel("Write a Caption").fill("Kept, whatever happens.");
    await page.route("**/api/posts", (route) => route.fulfill({ status: 500, body: "" }));
    await press(page, "Post");
    await page.getByText("Something went wrong on our side").waitFor();
  });
  await whole();
  await see("comment-failed", async () => {
    await page.goto(talked);
    await page.route("**/api/posts/*/*/comments", (route) => route.abort());
    await page.getByLabel("Leave a comment").fill("Kept, too.");
    await press(page, "post");
    await page.getByText("Not posted.").waitFor();
  });
  await whole();
  await see("edit-profile-failed", async () => {
    await page.goto("/profile/edit");
    await page.route("**/calls/edit-profile", (route) => route.abort());
    await page.getByLabel("Bio").fill("Kept as well.");
    await press(page, "Save Changes");
    await page.getByText("We couldn't reach Postcard").first().waitFor();
  });
  await whole();
  await see("edit-profile-errors", async () => {
    await page.goto("/profile/edit");
    await page.getByLabel("First name").fill("x".repeat(60));
    await page.getByLabel("Second name").fill("");
    await page.getByLabel("Bio").fill("too much ".repeat(60));
    await press(page, "Save Changes");
    await page.getByText("required*").waitFor();
  });
  await see("search-failed", async () => {
    await page.goto("/search");
    await page.route("**/search*", (route) => route.abort());
    await page.locator("main input[type=search]").pressSequentially("tom");
    await page.getByText("We couldn't reach Postcard").waitFor();
  });
  await whole();
  await see("second-step", async () => {
    await page.goto("/settings/security?change=two-factor");
    const section = page.getByRole("dialog", { name: "Two-step sign-in" });
    const asked = section.getByLabel("Your password");
    if (await asked.isVisible()) await asked.fill(nora.password);
    await section.getByRole("button", { name: "Set up" }).click();
    await section.getByRole("img", { name: "QR code with the key" }).waitFor();
    await section.scrollIntoViewIfNeeded();
  });
  await see("chat-offline", async () => {
    await page.goto(chatPath(nora, tomas));
    await page.getByRole("log").waitFor();
    await context.setOffline(true);
    await page.getByText("You're offline").waitFor();
  });
  await context.close();
}

/** Texts and names that are too long, from right to left, or more than letters. */
export async function odd(tour: Tour, missed: string[]): Promise<void> {
  if (!tour.oddities) return;
  const context = await tour.browse();
  const { reader, people, posts } = tour.oddities;
  await enter(context, tour.url, reader);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see("odd-home", () => page.goto("/"));
  for (const [index, person] of people.entries()) {
    await see(`odd-account-${index}`, () => page.goto(`/search/${person.id}`));
    await see(`odd-words-${index}`, () => page.goto(`/search/${person.id}?tab=texts`));
    await see(`odd-chat-${index}`, () => page.goto(chatPath(reader, person)));
  }
  for (const [index, path] of posts.entries()) {
    await see(`odd-post-${index}`, () => page.goto(path));
  }
  await see("odd-followers", () => page.goto(`/profile/followers/${reader.id}`));
  await see("odd-notifications", () => page.goto("/notifications"));
  await see("odd-chats", () => page.goto("/chat"));
  // Without scripts the same questions are pages.
  const [, arab] = people;
  if (arab) {
    await see("ask-follow", () => page.goto(`/follow/${arab.id}`));
    await see("ask-block", () => page.goto(`/block/${arab.id}`));
  }
  await see("ask-sign-out", () => page.goto("/signOut"));
  await context.close();
}

/** Everyday screens, for people with other windows or other needs. */
async function everyday(tour: Tour, missed: string[], part: Part): Promise<void> {
  if (!tour.oddities) return;
  const context = await tour.browse(part.options);
  const { reader, people, posts } = tour.oddities;
  await enter(context, tour.url, reader);
  const page = await pageOf(context);
  if (part.print) await page.emulateMedia({ media: "print" });
  const see = guide(page, tour.camera, missed);
  const [long, arab] = people;
  const paths: Record<string, string> = {
    home: "/",
    post: posts[2] ?? "/",
    account: `/search/${long?.id}`,
    profile: "/profile",
    upload: "/upload",
    settings: "/settings",
    notifications: "/notifications",
    chat: arab ? chatPath(reader, arab) : "/chat",
    "not-found": "/nowhere",
  };
  for (const [name, path] of Object.entries(paths)) {
    await see(`${part.name}-${name}`, () => page.goto(path));
  }
  await context.close();
}

type Part = {
  name: string;
  options?: Parameters<Tour["browse"]>[0];
  print?: boolean;
};

/** The narrowest phones; a window of 1280 pixels at 200 %. */
export const narrow = async (tour: Tour, missed: string[]) => {
  const small = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };
  await everyday(tour, missed, { name: "narrow", options: small });
  const half = { width: 640, height: 450 };
  const zoomed = { viewport: half, deviceScaleFactor: 2, isMobile: false, hasTouch: false };
  await everyday(tour, missed, { name: "zoomed", options: zoomed });
};

export const withFewColours = (tour: Tour, missed: string[]) =>
  everyday(tour, missed, { name: "few-colours", options: { forcedColors: "active" } });

export const onPaper = (tour: Tour, missed: string[]) =>
  everyday(tour, missed, { name: "paper", print: true });
