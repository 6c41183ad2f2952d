import { writeFile } from "node:fs/promises";
import { addMember, post } from "./support/members.ts";
import { phonePhoto, plainPhoto } from "./support/photos.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

test("a refused photo says why and keeps the caption; another one goes through", async ({
  open,
  postcard,
}, testInfo) => {
  const writer = await addMember(postcard, { firstName: "Fay", secondName: "Failing" });
  const page = await open(writer, { expects: /status of (413|415|422)/ });
  await page.goto("/upload");
  const caption = page.getByLabel("Write a Caption");
  const photo = page.locator('input[name="image"]');
  await caption.fill("Kept through everything");

  const whole = (await plainPhoto("#888888", 1200, 900)).buffer;
  const refused = [
    [
      "drawing.svg",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "can't use this file",
    ],
    ["broken.jpg", whole.subarray(0, whole.length / 2), "couldn't read this picture"],
    ["empty.jpg", Buffer.alloc(0), "This file is empty"],
    ["heavy.jpg", Buffer.alloc(26 * 1024 * 1024), "larger than 25 MB"],
  ] as const;
  for (const [name, bytes, sentence] of refused) {
    const path = testInfo.outputPath(name);
    await writeFile(path, bytes);
    await photo.setInputFiles(path);
    await expect(page.getByText(sentence), name).toBeVisible();
    await expect(caption).toHaveValue("Kept through everything");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await expect(page.locator("[role=alert]"), name).toContainText("Your photo didn't upload");
    await expect(page).toHaveURL("/upload");
    await page.getByRole("button", { name: "Remove the photo" }).click();
  }
  await photo.setInputFiles(await plainPhoto("#3355aa"));
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await page.goto("/profile");
  await expect(page.getByText("1 post")).toBeVisible();
});

test("when the server or the network is away a post waits, and goes out once when tried again", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Wes", secondName: "Waits" });
  const page = await open(writer, {
    expects: /status of 500|ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
  });
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Patience");
  await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#117755"));
  const button = page.getByRole("button", { name: "Post", exact: true });
  const alert = page.locator("[role=alert]");

  await page.route("**/api/posts", (route) => route.fulfill({ status: 500, body: "oops" }));
  await button.click();
  await expect(alert).toContainText("Something went wrong on our side");
  await page.unroute("**/api/posts");

  await page.context().setOffline(true);
  await button.click();
  await expect(alert).toContainText("We couldn't reach Postcard");
  await expect(page.getByLabel("Write a Caption")).toHaveValue("Patience");
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await page.context().setOffline(false);

  // The answer is lost on the way back, after the post was saved: trying again makes no second one.
  await page.route("**/api/posts", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await expect(alert).toContainText("We couldn't reach Postcard");
  await page.unroute("**/api/posts");
  await button.dblclick();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);
  await page.goto("/profile");
  await expect(page.getByText("1 post")).toBeVisible();
});

test("an upload shows how far it is, and the overlay says Uploading", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Una", secondName: "Upload" });
  const page = await open(writer);
  await page.goto("/upload");
  // A connection of 400 kB/s: the 12-megapixel photo takes seconds.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: 2_000_000,
    uploadThroughput: 300_000,
  });
  await page.locator('input[name="image"]').setInputFiles(await phonePhoto());
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Uploading", { exact: true })).toBeVisible();
  // Modal: keys reach nothing behind it.
  await expect(page.locator("dialog:modal")).toHaveAccessibleName("Uploading");
  await expect(page.getByText(/^Photo 1 of 1 · \d+%$/)).toBeVisible();
  const bar = page.getByRole("progressbar").last();
  // It ends with the server's work on the photo, not with the last byte.
  expect(Number(await bar.getAttribute("value"))).toBeLessThan(90);
  const values = new Set<number>();
  await expect
    .poll(async () => {
      const value = await bar
        .evaluate((element: HTMLProgressElement) => element.value)
        .catch(() => 0);
      return values.add(value).size;
    })
    .toBeGreaterThan(3);
  await expect(page).toHaveURL(/\/\?posted=\d+$/, { timeout: 60_000 });
});

test("a follow that fails turns back and says so; rapid clicks end on the last click", async ({
  open,
  postcard,
}) => {
  const followed = await addMember(postcard, { firstName: "Fol", secondName: "Lowed" });
  const reader = await addMember(postcard, { firstName: "Rapid", secondName: "Clicks" });
  const page = await open(reader, { expects: /status of 500|ERR_INTERNET_DISCONNECTED/ });
  await page.goto(`/search/${followed.id}`);
  const follow = page.getByRole("button", { name: "Follow", exact: true });
  const following = page.getByRole("button", { name: "Following", exact: true });

  await page.route("**/api/accounts/*/follow", (route) =>
    route.fulfill({ status: 500, body: "oops" }),
  );
  await follow.click();
  await expect(page.getByText(`Couldn't follow ${followed.name}.`)).toBeVisible();
  await expect(follow).toBeVisible();
  await page.unroute("**/api/accounts/*/follow");
  await page.context().setOffline(true);
  await follow.click();
  await expect(page.getByText("We couldn't reach Postcard")).toBeVisible();
  await expect(follow).toBeVisible();
  await page.context().setOffline(false);

  // Each answer takes a while; meanwhile the member changes their mind twice.
  const asked: string[] = [];
  await page.route("**/api/accounts/*/follow", async (route) => {
    asked.push(route.request().method());
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await follow.click();
  await expect(following).toBeVisible();
  await following.click();
  await expect(page.getByText("Unfollow this account?")).toBeVisible();
  await page.getByRole("button", { name: "Yes" }).click();
  await follow.click();
  await expect(following).toBeVisible();
  await expect(page.getByRole("link", { name: "1 follower" })).toBeVisible();
  await expect.poll(() => asked.at(-1)).toBe("PUT");
  await page.unrouteAll({ behavior: "wait" });
  await expectAnswered(page);
  await page.reload();
  await expect(following).toBeVisible();

  await following.click();
  await page.getByRole("button", { name: "cancel" }).click();
  await expect(following).toBeVisible();
  await following.click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(follow).toBeVisible();
  await expect(page.getByRole("link", { name: "0 followers" })).toBeVisible();
});

test("a double click on Follow follows and asks nothing; two presses of a key ask", async ({
  open,
  postcard,
}) => {
  const followed = await addMember(postcard, { firstName: "Dou", secondName: "Ble" });
  const page = await open(await addMember(postcard, { firstName: "Fast", secondName: "Hand" }));
  await page.goto(`/search/${followed.id}`);
  await page.getByRole("button", { name: "Follow", exact: true }).dblclick();
  const following = page.getByRole("button", { name: "Following", exact: true });
  await expect(following).toBeVisible();
  await expect(page.getByRole("link", { name: "1 follower" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const question = page.getByRole("dialog", { name: "Unfollow this account?" });
  for (const key of ["Enter", "Space"]) {
    await following.press(key);
    await expect(question).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
  }
});

test("if the connection is lost before anything else was loaded the page stays, says so, and works when it is back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Tess", secondName: "Tunnel" });
  const reader = await addMember(postcard, { firstName: "Tom", secondName: "Train" });
  const photo = await plainPhoto("#446688", 600, 450);
  const path = await post(postcard, writer, { caption: "Before the tunnel", photo });
  const page = await open(reader, { expects: /ERR_INTERNET_DISCONNECTED|dynamically imported/ });
  await page.goto(path);
  const comment = page.getByLabel("Leave a comment");
  const heart = page.getByRole("button", { name: "Like", exact: true });
  const dots = page.getByRole("main").getByLabel(`Options for this post by ${writer.name}`);
  const failure = page.getByLabel("Messages").getByText("We couldn't reach Postcard");
  const dialog = page.locator("dialog[open]");
  await comment.fill("Typed in the dark");

  await page.context().setOffline(true);
  await heart.click();
  await expect(
    page.getByText("Couldn't like this post. We couldn't reach Postcard."),
  ).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(failure).toHaveCount(0);
  const openers = {
    photo: () => page.getByTitle("View full size").click(),
    dots: async () => {
      await dots.click();
      await page.getByRole("link", { name: "Mute", exact: true }).click();
    },
    keys: () => page.keyboard.press("?"),
  };
  for (const [name, press] of Object.entries(openers)) {
    await press();
    await expect(failure, name).toBeVisible();
    await expect(failure, name).toHaveCount(0);
    await expect(dialog, name).toHaveCount(0);
  }
  await expect(comment).toHaveValue("Typed in the dark");

  await page.context().setOffline(false);
  for (const [name, press] of Object.entries(openers)) {
    await press();
    await expect(dialog, name).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog, name).toHaveCount(0);
  }
  await page.getByRole("button", { name: "post", exact: true }).click();
  await expect(page.getByRole("heading", { name: "1 comment" })).toBeVisible();
});

test("a member who was signed out meanwhile loses no words", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Sess", secondName: "Ended" });
  const other = await addMember(postcard, { firstName: "Some", secondName: "Body" });
  const page = await open(writer, { expects: /status of 401/ });
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Still here");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByRole("link", { name: "Sign in in another tab" })).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("Still here");
  await page.context().addCookies(cookies);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/\/\?posted=\d+$/);

  await page.goto(`/search/${other.id}`);
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page).toHaveURL(`/signIn?returnTo=${encodeURIComponent(`/search/${other.id}`)}`);
});
