import { comment } from "./support/acts.ts";
import { axeFinds } from "./support/axe.ts";
import { addMember, follow, post } from "./support/members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

async function people(url: string) {
  const ana = await addMember(url, { firstName: "Ana", secondName: "Alone" });
  const bob = await addMember(url, { firstName: "Bob", secondName: "Babbles" });
  return { ana, bob };
}

for (const [name, viewport] of Object.entries({ phone, desktop })) {
  for (const scripts of [true, false]) {
    test(`on a ${name} ${scripts ? "with" : "without"} scripts: an author closes comments, and opens them again`, async ({
      open,
      postcard,
    }) => {
      const { ana, bob } = await people(postcard);
      const page = await open(ana, { viewport, javaScriptEnabled: scripts });
      await page.goto("/upload");
      await page.getByLabel("Write a Caption").fill("Just so you know.");
      const choice = page.getByLabel("Who can comment");
      await expect(choice).toHaveValue("everyone");
      await choice.selectOption("No one");
      await page.getByRole("button", { name: "Post", exact: true }).click();
      await expect(page).not.toHaveURL(/upload/);
      const path = `/post/${ana.username}/1`;
      // The author may still comment.
      await page.goto(path);
      await page.getByLabel("Leave a comment").fill("And that's all.");
      await page.getByRole("button", { name: "post", exact: true }).click();
      await expect(page.getByRole("heading", { name: "1 comment" })).toBeVisible();

      const reader = await open(bob, { viewport, javaScriptEnabled: scripts });
      await reader.goto(path);
      await expect(reader.getByText("And that's all.")).toBeVisible();
      await expect(reader.getByText("Comments are closed.")).toBeVisible();
      await expect(reader.getByLabel("Leave a comment")).toHaveCount(0);
      await expect(reader.getByRole("link", { name: "Reply" })).toHaveCount(0);
      if (scripts) expect(await axeFinds(reader)).toEqual([]);
      await expectNoSidewaysScroll(reader);

      await page.goto(`${path}/edit`);
      await expect(choice).toHaveValue("nobody");
      if (scripts) expect(await axeFinds(page)).toEqual([]);
      await choice.selectOption("Everyone");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByText("edited")).toHaveCount(0);
      await reader.goto(path);
      await reader.getByLabel("Leave a comment").fill("Thank you.");
      await reader.getByRole("button", { name: "post", exact: true }).click();
      await expect(reader.getByRole("heading", { name: "2 comments" })).toBeVisible();
    });
  }
}

for (const scripts of [true, false]) {
  test(`words typed ${scripts ? "with" : "without"} scripts while the author closes the comments stay, with the reason`, async ({
    open,
    postcard,
  }) => {
    const { ana, bob } = await people(postcard);
    const path = await post(postcard, ana, { caption: "Not for long." });
    await comment(postcard, ana, path, "Say it now.");
    const reader = await open(bob, { javaScriptEnabled: scripts, expects: /status of 403/ });
    await reader.goto(path);
    await reader.getByLabel("Leave a comment").fill("I was about to say this");

    const page = await open(ana);
    await page.goto(`${path}/edit`);
    await page.getByLabel("Who can comment").selectOption("No one");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page).toHaveURL(path);

    await reader.getByRole("button", { name: "post", exact: true }).click();
    await expect(
      reader.getByText("The author has closed the comments on this post."),
    ).toBeVisible();
    const typed = reader.getByText("I was about to say this");
    await expect(typed).toBeVisible();
    if (scripts) {
      // It waits in its field; a reloaded page still has it.
      await reader.reload();
      await expect(typed).toBeVisible();
      await expect(reader.getByText("Comments are closed.")).toBeVisible();
    } else {
      await expect(reader.getByLabel("Leave a comment")).toHaveValue("I was about to say this");
    }
    await page.reload();
    await expect(page.getByText("I was about to say this")).toHaveCount(0);
  });
}

test("comments for people the author follows: those write, others read why they cannot", async ({
  open,
  postcard,
}) => {
  const { ana, bob } = await people(postcard);
  const cleo = await addMember(postcard, { firstName: "Cleo", secondName: "Close" });
  await follow(postcard, ana, cleo);
  await follow(postcard, bob, ana);
  const path = await post(postcard, ana, { caption: "Among friends." });
  const page = await open(ana);
  await page.goto(`${path}/edit`);
  await page.getByLabel("Who can comment").selectOption("People you follow");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(path);

  const friend = await open(cleo);
  await friend.goto(path);
  await friend.getByLabel("Leave a comment").fill("Cheers!");
  await friend.getByRole("button", { name: "post", exact: true }).click();
  await expect(friend.getByRole("heading", { name: "1 comment" })).toBeVisible();

  for (const somebody of [bob, null]) {
    const reader = await open(somebody);
    await reader.goto(path);
    await expect(reader.getByText("Cheers!")).toBeVisible();
    await expect(reader.getByText("Only people Ana Alone follows can comment.")).toBeVisible();
    await expect(reader.getByLabel("Leave a comment")).toHaveCount(0);
  }
});
