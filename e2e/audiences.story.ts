import { apiPath, comment } from "./support/acts.ts";
import {
  expectNever,
  expectWell,
  nameOf,
  otherShapes,
  people,
  send,
  type Told,
} from "./support/audiences.ts";
import { addMember, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

/** Of four readers only the friend sees it; the composer keeps the choice for the next post. */
async function postsToFriends({ open, postcard, shape }: Told): Promise<void> {
  const { ana, bob, cleo } = await people(postcard);
  const dan = await addMember(postcard, { firstName: "Dan", secondName: "Distant" });
  // Home shows photos of people to follow, which other stories narrow or delete meanwhile.
  const page = await open(ana, { ...shape, expects: /status of 404/ });
  await page.goto("/settings/friends");
  await expect(page.getByText("0 of 500 on your list")).toBeVisible();
  await page.getByLabel("Search people").fill(cleo.username);
  await page.getByRole("button", { name: "Add Cleo Close" }).click();
  await expect(page.getByText("1 of 500 on your list")).toBeVisible();
  await expectWell(page);

  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Only for the three of us.");
  await expect(page.getByText("Anyone can see it.")).toBeVisible();
  await page.locator("summary", { hasText: "Who can see it" }).click();
  await page.getByLabel("Close friends").check();
  await expect(page.getByText("Your close friends can see it.")).toBeVisible();
  await expectWell(page);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/posted=/);
  await expect(page.getByTitle("For close friends").first()).toBeVisible();
  await page.goto("/upload");
  await expect(page.getByText("Your close friends can see it.")).toBeVisible();

  const path = `/post/${ana.username}/1`;
  const friend = await open(cleo, shape);
  await friend.goto(path);
  await expect(friend.getByTitle("For close friends").first()).toBeVisible();
  await expectWell(friend);
  await expectNever({ open, postcard, shape }, path, [bob, dan, null]);
}

/** What is there stays under it, and who lost it meets the page of a post that never was. */
async function narrows({ open, postcard, shape }: Told): Promise<void> {
  const { ana, bob, cleo } = await people(postcard);
  const photo = await plainPhoto("#5b8c6e", 800, 600);
  const path = await post(postcard, ana, { caption: "An old photo", alt: "A field", photo });
  await comment(postcard, cleo, path, "I remember.");
  const page = await open(ana, shape);
  await page.goto(path);
  const choose = async (label: string, said: string) => {
    await page.getByRole("button", { name: "Options for this post" }).click();
    await page.getByRole("link", { name: "Who can see it" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(label, { exact: true }).check();
    await expectWell(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(said)).toBeVisible();
  };
  await choose("Followers", "Now for followers. Likes and comments stay");
  await expect(page.getByTitle("For followers").first()).toBeVisible();
  await expect(page.getByText("I remember.")).toBeVisible();
  const follower = await open(bob, shape);
  await follower.goto(path);
  await expect(follower.getByText("I remember.")).toBeVisible();
  await follower.goto(`/search/${ana.id}`);
  await expect(follower.getByRole("link", { name: "For followers" })).toBeVisible();
  await expectWell(follower);
  await expectNever({ open, postcard, shape }, path, [cleo, null]);
  await choose("Only me", "Now only you can see it.");
  await expectNever({ open, postcard, shape }, path, [bob]);
  await page.goto(`${path}/edit`);
  await expect(page.getByText("Only me").first()).toBeVisible();
}

test("a post for close friends: the friend sees it, for all others it never was", ({
  open,
  postcard,
}) => postsToFriends({ open, postcard, shape: {} }));

test("an old post is narrowed, keeps its comments and is gone for the others", ({
  open,
  postcard,
}) => narrows({ open, postcard, shape: {} }));

for (const shape of otherShapes) {
  for (const [story, tell] of Object.entries({ postsToFriends, narrows })) {
    test(`${nameOf(shape)}: ${story}`, ({ open, postcard }) => tell({ open, postcard, shape }));
  }
}

test("a draft keeps who it is for, and a private account begins with its followers", async ({
  open,
  postcard,
}) => {
  const { ana } = await people(postcard);
  const page = await open(ana);
  // By a link, as people do: what was chosen a moment ago is stored on the way. To a page of her own: on Home
  // are photos of other stories' people, who narrow theirs meanwhile.
  const leave = async () => {
    await page.getByRole("link", { name: "Profile" }).first().click();
    await expect(page).toHaveURL("/profile");
  };
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("Not yet.");
  await page.locator("summary", { hasText: "Who can see it" }).click();
  await page.getByLabel("Only me").check();
  await leave();
  await page.goto("/upload");
  await expect(page.getByText("Your unsent draft is back.")).toBeVisible();
  await expect(page.getByText("Only you can see it.")).toBeVisible();
  await page.locator("summary", { hasText: "Who can see it" }).click();
  await page.getByRole("radio", { name: "Everyone" }).check();
  await expect(page.getByText("Anyone can see it.")).toBeVisible();
  await leave();
  await send(postcard, ana, "PUT", "/calls/private");
  await page.goto("/upload");
  await expect(page.getByText("Your unsent draft is back.")).toBeVisible();
  await expect(page.getByText("Your followers can see it.")).toBeVisible();
  await page.locator("summary", { hasText: "Who can see it" }).click();
  await expect(page.getByRole("radio", { name: "Everyone" })).toHaveCount(0);
  await page.getByRole("button", { name: "Post", exact: true }).click();
  await expect(page).toHaveURL(/posted=/);
  const path = apiPath(`/post/${ana.username}/1`);
  const answer = await fetch(postcard + path, { headers: { cookie: ana.cookie } });
  expect(await answer.json()).toMatchObject({ audience: "followers", private: true });
});
