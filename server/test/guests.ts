import { buffer } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";
import { expect } from "vitest";
import { builtScreens, testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Audience } from "#shared/posts.ts";
import type { SharedLink } from "#shared/shared-links.ts";
import type { Viewer } from "#shared/views.ts";

type Wanted = {
  kind?: "post" | "profile";
  audience?: Audience;
  confirmed?: Audience;
  photos?: number;
} & Partial<Record<"password" | "lasts" | "until" | "timeZone", string>> &
  Partial<Record<"downloads" | "previews", boolean>>;

type Asked = { method?: "GET" | "HEAD" | "POST"; cookie?: string; agent?: string; body?: string };

/** What the page, a photo, a photo to save and the zip of a link answer: while it opens, and once it does not. */
export const opened = [200, 200, 200, 200];
export const gone = [410, 404, 404, 410];

export const cookieIn = (answer: { headers: Record<string, unknown> }) =>
  [answer.headers["set-cookie"]].flat().map(String).join().split(";")[0] ?? "";

export const photosIn = (html: string, at: string) => [
  ...new Set(
    [...html.matchAll(new RegExp(`${at}/photos/([0-9a-f]{32})/\\d+\\.webp`, "g"))].map(
      ([, key]) => key ?? "",
    ),
  ),
];

/** The names and bytes in a zip. */
export async function entriesOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}

/** An installation with its pages, a member who makes links, and guests, each test from a network of its own. */
export async function guestTest() {
  const { db } = await freshDatabase();
  const screens = await builtScreens();
  const { app, features: on, call } = await testApp(db, {}, { screens, rateLimits: true });
  const here = {
    maker: await on.member("Mara Maker", Date.now() - 3 * 86_400_000),
    network: 1,
  };

  /** Somebody else makes the links from now on, and guests come from another network. */
  async function begin(): Promise<void> {
    here.maker = await on.member("Mara Maker", Date.now() - 3 * 86_400_000);
    here.network += 1;
  }

  async function publish(audience: Audience, photos = 1, caption = "") {
    const pictures = [];
    for (let i = 0; i < photos; i += 1) {
      pictures.push({ imageId: await on.upload(here.maker), alt: "" });
    }
    return on.publish(here.maker, { pictures, audience, caption });
  }

  async function makeLink(maker: Viewer, payload: object) {
    const made = await call(maker, "POST", "/api/links", { payload });
    expect(made.statusCode, made.body).toBe(201);
    const { link, address } = made.json<{ link: SharedLink; address: string }>();
    return { link, path: new URL(address).pathname };
  }

  /** A link to a new post, or to the profile that has it. */
  async function linkTo({ kind = "post", audience = "followers", photos, ...more }: Wanted = {}) {
    const post = await publish(audience, photos);
    const { confirmed = audience, ...rest } = more;
    const number = kind === "post" ? post.number : undefined;
    const wanted = { kind, number, audience: confirmed, ...rest };
    return { post, ...(await makeLink(here.maker, wanted)) };
  }

  /** A request of a guest, of the test's own network. */
  const ask = (url: string, { method = "GET", cookie, agent = "Safari", body }: Asked = {}) =>
    app.inject({
      method,
      url,
      remoteAddress: `192.0.2.${here.network}`,
      headers: {
        accept: "text/html",
        "user-agent": agent,
        ...(cookie ? { cookie } : {}),
        ...(body ? { origin: "null", "content-type": "application/x-www-form-urlencoded" } : {}),
      },
      ...(body ? { payload: body } : {}),
    });

  /** Opens the address, as a browser does: where it leads, and the cookie. */
  async function open(path: string) {
    const answer = await ask(path);
    expect(answer.statusCode, answer.body).toBe(302);
    return { at: String(answer.headers.location), cookie: cookieIn(answer) };
  }

  /** The statuses of the page, a photo, a photo to save, and the zip. */
  async function statuses(at: string, cookie: string, key: string): Promise<number[]> {
    const paths = [at, `${at}/photos/${key}/96.webp`, `${at}/save/${key}`, `${at}/photos.zip`];
    const answers = [];
    for (const path of paths) answers.push((await ask(path, { cookie })).statusCode);
    return answers;
  }

  async function openedLink(wanted: Wanted = {}) {
    const made = await linkTo({ downloads: true, ...wanted });
    const { at, cookie } = await open(made.path);
    const page = await ask(at, { cookie });
    const [key = ""] = photosIn(page.body, at);
    return { ...made, at, cookie, key, page };
  }

  return {
    db,
    app,
    on,
    call,
    here,
    begin,
    publish,
    makeLink,
    linkTo,
    ask,
    open,
    statuses,
    openedLink,
  };
}
