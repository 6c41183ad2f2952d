import type { Page } from "@playwright/test";
import type { Member } from "./members.ts";

/** The path under /api of a post at `/post/{username}/{number}`. */
export function apiPath(path: string): string {
  return path.replace("/post/", "/api/posts/");
}

/** Comments on a post as the screen does. Returns the comment's id. */
export async function comment(
  url: string,
  writer: Member,
  path: string,
  body: string,
): Promise<string> {
  const answer = await fetch(`${url}${apiPath(path)}/comments`, {
    method: "POST",
    headers: { Origin: url, cookie: writer.cookie, "Content-Type": "application/json" },
    body: JSON.stringify({ body }),
  });
  if (!answer.ok) throw new Error(`Commenting answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
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

/** Signs in with the form on the page, and reads the dialog. */
export async function signInHere(page: Page, member: Member): Promise<void> {
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "OK" }).click();
}

/** Holds back every answer to a call until `release`; returns the methods of its requests, in order. */
export async function holdBack(page: Page, address: string) {
  const methods: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    methods.push(route.request().method());
    await held.promise;
    await route.continue();
  });
  return { methods, release: () => held.resolve() };
}
