import type { Page } from "@playwright/test";
import { axeFinds } from "./axe.ts";
import { addMember, follow, type Member } from "./members.ts";
import { desktop, expect, expectNoSidewaysScroll, phone } from "./stories.ts";

export type Shape = { viewport?: typeof phone; theme?: "light" | "synthwave" };

/** Every shape but the first, which `npm test` has. */
export const otherShapes = [phone, desktop].flatMap((viewport) =>
  (["light", "synthwave"] as const).map((theme): Shape => ({ viewport, theme })),
);
otherShapes.shift();
export const nameOf = ({ viewport, theme }: Shape) =>
  `on a ${viewport === phone ? "phone" : "desktop"} in ${theme}`;

/** A call, with a body where it takes one. */
export async function send(url: string, who: Member, method: string, path: string, body?: object) {
  const answer = await fetch(url + path, {
    method,
    headers: { Origin: url, cookie: who.cookie, "Content-Type": "application/json" },
    body: body ? JSON.stringify(body) : "{}",
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`);
}

/** Bob follows Ana, Cleo does not. */
export async function people(url: string) {
  const [ana, bob, cleo] = [
    await addMember(url, { firstName: "Ana", secondName: "Alone" }),
    await addMember(url, { firstName: "Bob", secondName: "Behind" }),
    await addMember(url, { firstName: "Cleo", secondName: "Close" }),
  ];
  await follow(url, bob, ana);
  return { ana, bob, cleo };
}

export async function expectWell(page: Page): Promise<void> {
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
}

type Open = (who: Member | null, options?: Shape & { expects?: RegExp }) => Promise<Page>;
export type Told = { open: Open; postcard: string; shape: Shape };

/** For these readers the address is that of a post that never was, in every word. */
export async function expectNever({ open, shape }: Told, path: string, readers: (Member | null)[]) {
  for (const reader of readers) {
    const page = await open(reader, { ...shape, expects: /status of 404/ });
    const seen: string[] = [];
    for (const address of [path, path.replace(/\d+$/, "999")]) {
      expect((await page.goto(address))?.status(), address).toBe(404);
      seen.push(await page.locator("main").innerText());
    }
    expect(seen[0]).toBe(seen[1]);
  }
}
