import type { Page } from "@playwright/test";
import { comment } from "./support/acts.ts";
import { chatPath } from "./support/chats.ts";
import { addMember, follow, post, postSet } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

/*
 * What a browser receives on a first visit before the person does anything: scripts that load once the page
 * is interactive count like those of the document. Bodies as they are sent, compressed, without headers; 1 kB
 * is 1,000 bytes. The figures are printed, to show where the bytes go.
 */

type Received = { script: number; style: number; files: string[] };

/** Bytes of each script and style until nothing more has come for two seconds. */
async function firstVisit(page: Page, path: string): Promise<Received> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const bytes = new Map<string, number>();
  const kinds = new Map<string, { kind: string; path: string }>();
  let last = Date.now();
  network.on("Network.responseReceived", ({ requestId, type, response }) => {
    last = Date.now();
    kinds.set(requestId, { kind: type, path: new URL(response.url).pathname });
  });
  network.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    last = Date.now();
    bytes.set(requestId, (bytes.get(requestId) ?? 0) + encodedDataLength);
  });
  await page.goto(path);
  await expect(page.locator("html[data-alive]")).toBeAttached();
  await expect.poll(() => Date.now() - last, { timeout: 60_000 }).toBeGreaterThan(2_000);
  await expect(page.locator("html[data-acted]"), "nobody did anything").toHaveCount(0);

  const received: Received = { script: 0, style: 0, files: [] };
  for (const [id, { kind, path: file }] of kinds) {
    const size = bytes.get(id) ?? 0;
    if (kind === "Script") received.script += size;
    else if (kind === "Stylesheet") received.style += size;
    else continue;
    received.files.push(`${String(size).padStart(7)} ${file}`);
  }
  return received;
}

const budgets = [
  // What, who, where, kB of script, kB of style
  ["home", "member", phone, 121.7, 15.3],
  // With suggested accounts beside it.
  ["home", "member", desktop, 125.2, 15.3],
  // With a style sheet of its own.
  ["the front page", "visitor", phone, 122.5, 16.3],
  ["sign-in", "visitor", phone, 106.2, 15.3],
  ["sign-up", "visitor", phone, 109.8, 15.3],
  ["a post", "member", phone, 129, 15.3],
  ["somebody's profile", "member", phone, 128.6, 15.3],
  ["search", "member", phone, 129.8, 15.3],
  // With a style sheet of its own.
  ["the composer", "member", phone, 126, 16.4],
  ["a chat", "member", phone, 138.6, 15.3],
] as const;

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

test("a first visit brings little more than the page itself", async ({ open, postcard }) => {
  const [reader, author] = [
    await addMember(postcard, { firstName: "First", secondName: "Visit" }),
    await addMember(postcard, { firstName: "Much", secondName: "Shown" }),
  ];
  await follow(postcard, reader, author);
  await follow(postcard, author, reader);
  const photo = await plainPhoto("#5b8c6e", 800, 600);
  await post(postcard, author, { caption: "Words alone, with #tags and https://example.org/." });
  const set = [photo, await plainPhoto()].map((one) => ({ photo: one, alt: "" }));
  await postSet(postcard, author, { caption: "Two of them", photos: set });
  const path = await post(postcard, author, { caption: "A photo", photo });
  await comment(postcard, reader, path, "A comment, so that its preview is drawn.");
  const paths = {
    home: "/",
    "the front page": "/",
    "sign-in": "/signIn",
    "sign-up": "/signUp",
    "a post": path,
    "somebody's profile": `/search/${author.id}`,
    search: "/search",
    "the composer": "/upload",
    "a chat": chatPath(reader, author),
  };
  const over: string[] = [];
  for (const [what, who, viewport, script, style] of budgets) {
    const page = await open(who === "member" ? reader : null, {
      viewport,
      hasTouch: viewport === phone,
      untouched: true,
    });
    const received = await firstVisit(page, paths[what]);
    const { length } = received.files;
    const line = `${what}, ${who}, ${viewport.width} px: ${kB(received.script)} of script, ${kB(received.style)} of style, ${length} files`;
    process.stdout.write(`${line}\n`);
    // Less would mean that the framework was not counted.
    expect(received.script, line).toBeGreaterThan(80_000);
    expect(received.style, line).toBeGreaterThan(5_000);
    if (received.script > script * 1000 || received.style > style * 1000) {
      over.push(`${line} (${script} and ${style} are allowed)`, ...received.files);
    }
    await page.context().close();
  }
  expect(over.join("\n")).toBe("");
});
