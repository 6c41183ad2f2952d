import { comment } from "./support/acts.ts";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, test } from "./support/stories.ts";

test("a comment is answered, liked and edited, and another reader sees it come", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Wanda", secondName: "Writer" });
  const reader = await addMember(postcard, { firstName: "Rita", secondName: "Reader" });
  const path = await post(postcard, writer, { caption: "Ask me anything." });
  await comment(postcard, writer, path, "Who is first?");
  const [page, other] = [await open(reader, { expects: /ERR_FAILED/ }), await open(writer)];
  await page.goto(path);
  await other.goto(path);

  await page.getByRole("button", { name: "Reply to Wanda Writer" }).click();
  const field = page.getByRole("textbox", { name: "Leave a comment" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(`@${writer.username} `);
  await field.pressSequentially("I am");
  await page.getByRole("button", { name: "post", exact: true }).click();
  const replies = (shown: typeof page) =>
    shown.getByRole("list", { name: "Replies to Wanda Writer" }).getByRole("listitem");
  await expect(replies(page)).toContainText("I am");
  await expect(field).toHaveValue("");
  await expect(replies(other)).toContainText("I am");
  await expect(other.getByRole("heading", { name: "2 comments" })).toBeVisible();

  const heart = replies(other).getByRole("button", { name: "Like the comment by Rita Reader" });
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(replies(other).getByText("1 like", { exact: true })).toBeAttached();

  await replies(page).getByRole("button", { name: "Edit your comment" }).click();
  const words = page.getByRole("textbox", { name: "Edit your comment" });
  await words.fill("I am the first");
  await page.route("**/api/posts/*/*/comments/*", (route) => route.abort());
  await replies(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(words).toHaveAccessibleDescription(/connection|offline|reach/i);
  await expect(words).toHaveValue("I am the first");
  await page.unroute("**/api/posts/*/*/comments/*");
  await replies(page).getByRole("button", { name: "Save", exact: true }).click();
  await expect(replies(page)).toContainText("edited");
  await expect(replies(other)).toContainText("I am the first");
});

test("two taps like a photo, one opens its post, and its count leads to the list of likes", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Tap", secondName: "Ped" });
  const reader = await addMember(postcard, { firstName: "Double", secondName: "Click" });
  const path = await post(postcard, writer, { photo: await plainPhoto("#406080", 800, 600) });
  await follow(postcard, reader, writer);
  const page = await open(reader);
  await page.goto("/");
  const photo = page.getByRole("link", { name: "Open this post" });
  const heart = page.getByRole("button", { name: "Like", exact: true });
  await photo.dblclick();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await photo.dblclick();
  await expect(page.getByRole("link", { name: "1 like" })).toBeVisible();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await photo.click();
  await expect(page).toHaveURL(path);
  await page.getByTitle("View full size").dblclick();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("link", { name: "1 like" }).click();
  await expect(page.getByRole("heading", { name: "Liked by" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Double Click" })).toBeVisible();
});

test("without scripts one answers, likes and edits a comment, and sees who likes a post", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Plain", secondName: "Page" });
  const path = await post(postcard, writer, { caption: "No scripts here." });
  await comment(postcard, writer, path, "Root");
  const page = await open(writer, { javaScriptEnabled: false });
  await page.goto(path);
  await page.getByRole("button", { name: "Reply to Plain Page" }).click();
  const field = page.getByRole("textbox", { name: "Leave a comment" });
  await expect(field).toHaveValue(`@${writer.username} `);
  await field.fill("An answer");
  await page.getByRole("button", { name: "post", exact: true }).click();
  const answer = page.getByRole("list", { name: "Replies to Plain Page" }).getByRole("listitem");
  await expect(answer).toContainText("An answer");
  await answer.getByRole("button", { name: /^Like the comment/ }).click();
  await expect(answer.getByText("1 like", { exact: true })).toBeAttached();
  await answer.getByRole("button", { name: "Edit your comment" }).click();
  await page.getByRole("textbox", { name: "Your comment" }).fill("A better answer");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(answer).toContainText("A better answer");
  await expect(answer).toContainText("edited");
});
