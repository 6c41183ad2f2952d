import { expectWell, nameOf, otherShapes, people, send, type Told } from "./support/audiences.ts";
import { addMember, follow, post } from "./support/members.ts";
import { expect, expectAnswered, test } from "./support/stories.ts";

/** The switch says what it will do; what was public is for followers; who asks is let in. */
async function goesPrivate({ open, postcard, shape }: Told): Promise<void> {
  const { ana, bob, cleo } = await people(postcard);
  const path = await post(postcard, ana, { caption: "Once for everybody." });
  await post(postcard, ana, { caption: "This too." });
  const expects = /status of 404/;
  const [page, follower, stranger] = [
    await open(ana, shape),
    await open(bob, shape),
    await open(cleo, { ...shape, expects }),
  ];
  await page.goto("/settings");
  const toggle = page.getByLabel("Private account");
  await toggle.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 posts will be visible to your 1 follower only.");
  await expectWell(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await dialog.getByRole("button", { name: "Make private" }).click();
  await expect(toggle).toBeChecked();
  await expectAnswered(page);
  await page.goto("/profile");
  await expect(page.getByText("Private account", { exact: true })).toBeAttached();

  await follower.goto(path);
  await expect(follower.getByText("Once for everybody.").first()).toBeVisible();
  await expect(follower.getByTitle("For followers").first()).toBeVisible();

  expect((await stranger.goto(path))?.status()).toBe(404);
  await stranger.goto(`/search/${ana.id}`);
  await expect(stranger.getByText("This account is private")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "1 follower" })).toHaveCount(0);
  await expect(stranger.getByText("1 follower")).toBeVisible();
  await expectWell(stranger);
  const ask = stranger.getByRole("button", { name: "Follow", exact: true });
  const asked = stranger.getByRole("button", { name: "Requested" });
  await ask.click();
  await expect(stranger.getByText("You asked to follow.")).toBeVisible();
  await asked.click();
  await expect(stranger.getByText("Follow to ask to see their posts.")).toBeVisible();
  await ask.click();
  await expect(asked).toBeVisible();
  await expect(stranger.getByText("You asked to follow.")).toBeVisible();

  await page.goto("/notifications");
  await page.getByRole("link", { name: "Follow requests 1" }).click();
  await expectWell(page);
  await page.getByRole("button", { name: "Accept Cleo Close" }).click();
  await expect(page.getByText("Follows you")).toBeFocused();
  await expect.poll(async () => (await stranger.goto(path))?.status()).toBe(200);
  await stranger.goto("/notifications");
  await expect(stranger.getByText("accepted your request to follow")).toBeVisible();
  await expectWell(stranger);

  await page.goto(`/search/${cleo.id}`);
  await page.getByRole("button", { name: "Mute, block or report Cleo Close" }).click();
  await dialog.getByLabel("Remove follower").check();
  await expectWell(page);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Cleo Close no longer follows you.")).toBeVisible();
  expect((await stranger.goto(path))?.status()).toBe(404);
}

test("an account becomes private after saying what that does, is asked, accepts and removes a follower", ({
  open,
  postcard,
}) => goesPrivate({ open, postcard, shape: {} }));

for (const shape of otherShapes) {
  test(`${nameOf(shape)}: goes private`, ({ open, postcard }) =>
    goesPrivate({ open, postcard, shape }));
}

test("without scripts an account becomes private, is asked, accepts, and a post is narrowed", async ({
  open,
  postcard,
}) => {
  const { ana, bob, cleo } = await people(postcard);
  const path = await post(postcard, ana, { caption: "Plain words." });
  const [page, stranger] = [
    await open(ana, { javaScriptEnabled: false }),
    await open(cleo, { javaScriptEnabled: false, expects: /status of 404/ }),
  ];
  await page.goto("/settings");
  await page.getByLabel("Private account").check();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByText("1 post will be visible to your 1 follower only.")).toBeVisible();
  await page.getByRole("button", { name: "Make private" }).click();
  await expect(page.getByLabel("Private account")).toBeChecked();

  await stranger.goto(`/search/${ana.id}`);
  const ask = stranger.getByRole("button", { name: "Follow", exact: true });
  await ask.click();
  await stranger.getByRole("button", { name: "Requested" }).click();
  await ask.click();
  await expect(stranger.getByText("You asked to follow.")).toBeVisible();

  await page.goto("/follow-requests");
  await page.getByRole("button", { name: "Accept Cleo Close" }).click();
  await expect(page.getByText("No one is waiting")).toBeVisible();
  await stranger.goto(path);
  await expect(stranger.getByText("Plain words.").first()).toBeVisible();

  await page.goto("/settings/friends");
  await page.getByRole("button", { name: "Add Bob Behind" }).click();
  await expect(page.getByText("1 of 500 on your list")).toBeVisible();
  await page.goto(path);
  await page.getByRole("button", { name: "Options for this post" }).click();
  await page.getByRole("link", { name: "Who can see it" }).click();
  await page.getByLabel("Close friends").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByTitle("For close friends").first()).toBeVisible();
  expect((await stranger.goto(path))?.status()).toBe(404);
  const friend = await open(bob, { javaScriptEnabled: false });
  await friend.goto(path);
  await expect(friend.getByText("Plain words.").first()).toBeVisible();
});

test("going public again accepts everybody who waits, and says so before", async ({
  open,
  postcard,
}) => {
  const { ana, bob, cleo } = await people(postcard);
  const dan = await addMember(postcard, { firstName: "Dan", secondName: "Distant" });
  const path = await post(postcard, ana, { caption: "Back in the open." });
  await send(postcard, ana, "PUT", "/calls/private");
  for (const one of [cleo, dan]) await follow(postcard, one, ana);
  const page = await open(ana);
  await page.goto("/follow-requests");
  await page.getByRole("button", { name: "Refuse Dan Distant" }).click();
  await expect(page.getByText("Refused")).toBeVisible();
  await expectAnswered(page);
  await page.goto("/settings");
  await page.getByLabel("Private account").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(
    "Everyone will see your 1 post. 1 person waiting to follow you will be accepted.",
  );
  await dialog.getByRole("button", { name: "Make public" }).click();
  await expect(page.getByLabel("Private account")).not.toBeChecked();
  await expectAnswered(page);
  const follower = await open(cleo);
  await expect(async () => {
    await follower.goto(`/search/${ana.id}`);
    expect(await follower.getByRole("button", { name: "Following" }).count()).toBe(1);
  }).toPass();
  const visitor = await open(null);
  await visitor.goto(path);
  await expect(visitor.getByText("Back in the open.").first()).toBeVisible();
  await visitor.goto(`/profile/followers/${ana.id}`);
  await expect(visitor.getByRole("link", { name: `${bob.name} @` })).toBeVisible();
});
