import { comment } from "./support/acts.ts";
import { chatPath } from "./support/chats.ts";
import { addMember, follow, post, postSet } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { startPostcard } from "./support/postcard-server.ts";
import { kB, linesOf, received, sumOf } from "./support/received.ts";
import { desktop, expect, phone, test } from "./support/stories.ts";

/*
 * What a browser receives on a first visit before the person does anything: scripts that load once the page
 * is interactive count like those of the document. Bodies as they are sent, compressed, without headers; 1 kB
 * is 1,000 bytes. The figures are printed, to show where the bytes go.
 */

const budgets = [
  // What, who, where, kB of script, kB of style
  ["home", "member", phone, 120.2, 15.5],
  // With suggested accounts beside it.
  ["home", "member", desktop, 123.6, 15.5],
  // With a style sheet of its own.
  ["the front page", "visitor", phone, 121.0, 16.5],
  ["sign-in", "visitor", phone, 105.8, 15.5],
  ["sign-up", "visitor", phone, 108.4, 15.5],
  // With the entries of its menu.
  ["a post", "member", phone, 128.4, 15.5],
  ["somebody's profile", "member", phone, 127.2, 15.5],
  ["search", "member", phone, 128.3, 15.5],
  // With a style sheet of its own.
  ["the composer", "member", phone, 125.8, 16.6],
  ["a chat", "member", phone, 137.9, 15.5],
] as const;

/** kB of script of home at 390 px. */
const homeIn = { de: 120.8, fr: 120.7, ar: 120.9 };

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
    const files = await received(page, paths[what]);
    const drawn = files.filter(({ kind }) => kind === "Script" || kind === "Stylesheet");
    const [scripts, styles] = [sumOf(files, "Script"), sumOf(files, "Stylesheet")];
    const line = `${what}, ${who}, ${viewport.width} px: ${kB(scripts)} of script, ${kB(styles)} of style, ${drawn.length} files`;
    process.stdout.write(`${line}\n`);
    // Less would mean that the framework was not counted.
    expect(scripts, line).toBeGreaterThan(80_000);
    expect(styles, line).toBeGreaterThan(5_000);
    if (scripts > script * 1000 || styles > style * 1000) {
      over.push(`${line} (${script} and ${style} are allowed)`, ...linesOf(drawn));
    }
    await page.context().close();
  }
  expect(over.join("\n")).toBe("");
});

test("home brings as little in every language", async ({ open }) => {
  const server = await startPostcard({ LANGUAGES: "en,de,fr,ar" });
  try {
    const reader = await addMember(server.url, { firstName: "First", secondName: "Visit" });
    const author = await addMember(server.url, { firstName: "Much", secondName: "Shown" });
    // The first two have the card of the first day.
    await addMember(server.url, { firstName: "Third", secondName: "Member" });
    await follow(server.url, reader, author);
    const photo = await plainPhoto("#5b8c6e", 800, 600);
    await postSet(server.url, author, {
      caption: "Two of them",
      photos: [photo, await plainPhoto()].map((one) => ({ photo: one, alt: "" })),
    });
    const over: string[] = [];
    for (const [language, most] of Object.entries(homeIn)) {
      const page = await open(reader, {
        baseURL: server.url,
        locale: language,
        viewport: phone,
        hasTouch: true,
        untouched: true,
      });
      const files = await received(page, "/");
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      const line = `home, ${language}: ${kB(sumOf(files, "Script"))} of script`;
      process.stdout.write(`${line}\n`);
      if (sumOf(files, "Script") > most * 1000) over.push(line, ...linesOf(files));
      await page.context().close();
    }
    expect(over.join("\n")).toBe("");
  } finally {
    await server.stop();
  }
});
