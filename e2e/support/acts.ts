import type { Page } from "@playwright/test";
import type { Member } from "./members.ts";

/** Comments on a post as its form does. Answers the comment's id. */
export async function comment(
  url: string,
  writer: Member,
  path: string,
  body: string,
): Promise<string> {
  const [, , address = "", number = ""] = path.split("/");
  const answer = await fetch(`${url}/calls/comment`, {
    method: "POST",
    headers: { Origin: url, cookie: writer.cookie },
    body: new URLSearchParams({ address, number, body }),
  });
  if (!answer.ok) throw new Error(`Commenting answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { comment: { id: string } }).comment.id;
}

/** Likes a post as its form does without scripts. */
export async function like(url: string, liker: Member, path: string): Promise<void> {
  const answer = await fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url, cookie: liker.cookie },
    body: new URLSearchParams({ intent: "like" }),
  });
  if (answer.status !== 302) throw new Error(`Liking answered ${answer.status}`);
}

/** Sends a message as a program does. */
export async function say(url: string, from: Member, to: Member, words: string): Promise<void> {
  const answer = await fetch(`${url}/api/chats/${from.username}.${to.username}/messages`, {
    method: "POST",
    headers: { Origin: url, cookie: from.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ body: words }),
  });
  if (!answer.ok) throw new Error(`Writing answered ${answer.status}: ${await answer.text()}`);
}

/** Signs in on the form that stands there, and reads the dialog. */
export async function signInHere(page: Page, member: Member): Promise<void> {
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "OK" }).click();
}

/** Holds back every answer to a call until `release`; what was asked for is noted in its order. */
export async function holdBack(page: Page, call: string) {
  const intents: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route(`**/calls/${call}`, async (route) => {
    intents.push(new URLSearchParams(route.request().postData() ?? "").get("intent") ?? "");
    await held.promise;
    await route.continue();
  });
  return { intents, release: () => held.resolve() };
}
