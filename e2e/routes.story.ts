import { signInHere } from "./support/acts.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const nobody = "01900000-0000-7000-8000-000000000000";
const refused = /status of 40[14]/;

test("/ shows a member the posts of followed accounts, newest first, each once", async ({
  open,
  postcard,
}) => {
  const followed = await addMember(postcard, { firstName: "Fay", secondName: "Followed" });
  const other = await addMember(postcard, { firstName: "Otto", secondName: "Other" });
  const stranger = await addMember(postcard, { firstName: "Stella", secondName: "Stranger" });
  const reader = await addMember(postcard, { firstName: "Rita", secondName: "Reads" });
  await post(postcard, followed, { caption: "First of all." });
  await post(postcard, stranger, { caption: "Not for this page." });
  await post(postcard, other, { caption: "In between." });
  await post(postcard, followed, { caption: "Last of all." });
  await post(postcard, reader, { caption: "My own words." });
  for (const account of [followed, other]) await follow(postcard, reader, account);
  const page = await open(reader);
  await page.goto("/");
  const posts = page.getByRole("article");
  await expect(posts).toHaveText([/Last of all\./, /In between\./, /First of all\./]);
  await expect(posts.first().getByRole("link", { name: followed.name })).toHaveAttribute(
    "href",
    `/search/${followed.id}`,
  );
});

test("/signIn, in any letter case, has email, password and the way to sign up; members go home", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Sig", secondName: "Nin" });
  const page = await open(null);
  for (const path of ["/signIn", "/SignIn", "/SIGNIN"]) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
  }
  await expect(page.getByLabel("Email")).toHaveAttribute("type", "email");
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
  await expect(page.getByText("required*")).toHaveCount(0);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await page.getByLabel("Email").fill(member.email);
  await expect(page.getByText("required*")).toHaveCount(1);
  await page.getByRole("main").getByRole("link", { name: "Create your account" }).click();
  await expect(page).toHaveURL("/signUp");
  await page.locator("main").getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/signIn");
  await signInHere(page, member);
  await expect(page).toHaveURL("/");
  for (const path of ["/signIn", "/SignIn", "/signUp"]) {
    await page.goto(path);
    await expect(page, path).toHaveURL("/");
  }
});

test("/signUp asks for a picture, names that may stay empty, email and password", async ({
  open,
}) => {
  const page = await open(null);
  await page.goto("/SignUp");
  await expect(page.getByRole("heading", { name: "Sign Up" })).toBeVisible();
  await expect(page.getByLabel("Click to upload")).toHaveAttribute("type", "file");
  for (const name of ["First name", "Second name"]) {
    await expect(page.getByLabel(name)).not.toHaveAttribute("required");
  }
  for (const name of ["Email", "Password"]) {
    await expect(page.getByRole("textbox", { name, exact: true })).toHaveAttribute("required");
  }
  await page.locator("main").getByRole("button", { name: "Sign Up" }).click();
  const toasts = page.getByRole("region", { name: "Messages" });
  await expect(toasts.getByText("Please select a profile image")).toBeVisible();
});

test("/search is open; people found are shown by avatar and full name, oneself leads to /profile", async ({
  open,
  postcard,
}) => {
  const family = `Quill${Date.now()}`;
  const member = await addMember(postcard, { firstName: "Quentin", secondName: family });
  const sister = await addMember(postcard, { firstName: "Quirina", secondName: family });
  const found = `/search?q=${encodeURIComponent(family.toUpperCase())}`;
  for (const who of [null, member]) {
    const page = await open(who);
    expect((await page.goto("/Search"))?.status()).toBe(200);
    await expect(page.getByRole("searchbox")).toHaveAttribute("required");
    await page.goto(found);
    const people = page.locator("main li").filter({ visible: true });
    const named = [member, sister].map(({ name }) => new RegExp(`^${name}@`));
    await expect(people).toHaveText(named);
    await expect(people.locator("img")).toHaveCount(2);
    const self = people.getByRole("link", { name: `${member.name} @` });
    await expect(self).toHaveAttribute("href", who ? "/profile" : `/search/${member.id}`);
    await people.getByRole("link", { name: `${sister.name} @` }).click();
    await expect(page).toHaveURL(`/search/${sister.id}`);
  }
});

test("/search/{id} shows somebody else with counts, BIO and two tabs; one's own id leads to /profile", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Paul", secondName: "Profiled" });
  const reader = await addMember(postcard, { firstName: "Rosa", secondName: "Regards" });
  await post(postcard, writer, { alt: "A grey wall", photo: await plainPhoto("#777") });
  await post(postcard, writer, { caption: "Nothing but words." });
  await follow(postcard, reader, writer);
  const visitor = await open(null, { expects: refused });
  await visitor.goto(`/search/${writer.id.toUpperCase()}`);
  await expect(visitor.getByRole("heading", { name: writer.name })).toBeVisible();
  await expect(visitor.getByText("2 posts")).toBeVisible();
  await expect(visitor.getByRole("link", { name: "1 follower" })).toHaveAttribute(
    "href",
    `/profile/followers/${writer.id}`,
  );
  await expect(visitor.getByRole("link", { name: "0 following" })).toHaveAttribute(
    "href",
    `/profile/following/${writer.id}`,
  );
  await expect(visitor.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await expect(visitor.getByRole("link", { name: "A grey wall" })).toBeVisible();
  await visitor.getByRole("link", { name: "Words" }).click();
  await expect(visitor.getByRole("article")).toContainText("Nothing but words.");
  for (const missing of [nobody, "not-an-id"]) {
    expect((await visitor.goto(`/search/${missing}`))?.status(), missing).toBe(404);
    await expect(visitor.getByText("No one lives at this address")).toBeVisible();
  }
  const page = await open(reader);
  await page.goto(`/search/${reader.id}`);
  await expect(page).toHaveURL("/profile");
  await page.goto(`/search/${writer.id}`);
  await page.getByRole("button", { name: "Following", exact: true }).click();
  const question = page.getByRole("dialog");
  await expect(question.getByRole("heading")).toHaveText("Unfollow this account?");
  await expect(question.getByRole("button")).toHaveText(["cancel", "Yes"]);
  await question.getByRole("button", { name: "cancel" }).click();
  await expect(page.getByRole("link", { name: "1 follower" })).toBeVisible();
  await page.getByRole("button", { name: "Following", exact: true }).click();
  await question.getByRole("button", { name: "Yes" }).click();
  await expect(page.getByRole("button", { name: "Follow", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "0 followers" })).toBeVisible();
});

test("/post/{address}/{id} is open: image, caption, likes, comments; Delete for its author only", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Dina", secondName: "Detail" });
  const photo = await plainPhoto("#2d6", 600, 400);
  const path = await post(postcard, writer, { caption: "By the river", alt: "A river", photo });
  expect(path).toBe(`/post/${writer.username}/1`);
  const visitor = await open(null, { expects: refused });
  for (const address of [writer.username, writer.email, writer.email.toUpperCase()]) {
    await visitor.goto(`/Post/${encodeURIComponent(address)}/1`);
    await expect(visitor.getByRole("img", { name: "A river" })).toBeVisible();
    await expect(visitor.getByText("By the river", { exact: true })).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Like", exact: true })).toBeVisible();
    await expect(visitor.getByText("0 likes", { exact: true })).toBeAttached();
    await expect(visitor.getByPlaceholder("Leave a comment")).toBeVisible();
    await expect(visitor.getByRole("button", { name: "post", exact: true })).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Delete", exact: true })).toHaveCount(0);
  }
  for (const missing of [`/post/${writer.username}/2`, "/post/nobody@example.org/1"]) {
    expect((await visitor.goto(missing))?.status(), missing).toBe(404);
  }
  const page = await open(writer);
  await page.goto(path);
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeVisible();
});

test("/profile/followers/{id} and /profile/following/{id} are open lists of avatars and names", async ({
  open,
  postcard,
}) => {
  const star = await addMember(postcard, { firstName: "Sol", secondName: "Star" });
  const fan = await addMember(postcard, { firstName: "Finn", secondName: "Fan" });
  await follow(postcard, fan, star);
  const visitor = await open(null, { expects: refused });
  for (const [list, of, shown] of [
    ["followers", star, fan],
    ["following", fan, star],
  ] as const) {
    expect((await visitor.goto(`/profile/${list}/${of.id}`))?.status()).toBe(200);
    const people = visitor.locator("main li");
    await expect(people).toHaveCount(1);
    await expect(people.locator("img")).toHaveCount(1);
    await expect(people.getByRole("link", { name: `${shown.name} @` })).toHaveAttribute(
      "href",
      `/search/${shown.id}`,
    );
    await visitor.goto(`/profile/${list}/${shown.id}`);
    await expect(visitor.getByText("No one yet")).toBeVisible();
    for (const missing of [nobody, "not-an-id"]) {
      const answer = await visitor.goto(`/Profile/${list}/${missing}`);
      expect(answer?.status(), `${list} of ${missing}`).toBe(404);
    }
  }
  // Only one's own pages are guarded, not everything that begins like them.
  expect((await visitor.goto("/profile"))?.status()).toBe(401);
});

test("an address that nobody knows is a real 404, for members and visitors, on phones too", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Lost", secondName: "Letter" });
  for (const [who, viewport] of [
    [null, phone],
    [member, desktop],
  ] as const) {
    const page = await open(who, { viewport, expects: refused });
    for (const path of ["/nowhere", "/post", "/profile/unknown", "/%F0%9F%92%8C", "/a/b/c/d"]) {
      expect((await page.goto(path))?.status(), path).toBe(404);
      await expect(page.getByText("No one lives at this address")).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  }
});
