import { keptPagesCache } from "#app/lib/forms/kept-messages.ts";
import { registerWorker } from "#app/lib/page/service-worker.ts";
import { addressOf, copyOfFeed, noticePage, offlineScript } from "#app/features/offline/copies.ts";

/** Photos of a kept feed, bytes together; those that come after are left out. */
const picturesBytes = 8_000_000;

const keptFeed = "/kept/feed";
const keptNotice = "/kept/notice";

/** What a kept page may do: show itself, and ask whether the server is back. Its forms lead nowhere. */
const policy = [
  "default-src 'none'",
  ...["script", "style", "img", "font", "connect"].map((kind) => `${kind}-src 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((what) => `${what} 'none'`),
].join("; ");

type Keeping = {
  ownerId: string;
  /** the page on the screen is the newest page of home */
  atHome: boolean;
  /** whether this page still belongs to that member */
  isOwn: () => boolean;
};

let noticeKept = false;
let last: Promise<void> = Promise.resolve();

/**
 * Keeps what the service worker shows while the server cannot be reached: a notice, and at home the
 * feed as it stands on the screen. Where there is no room for it, or no right, nothing is kept.
 */
export function keepPages(keeping: Keeping): Promise<void> {
  last = keepAfter(last, keeping);
  return last;
}

async function keepAfter(before: Promise<void>, keeping: Keeping): Promise<void> {
  await before;
  try {
    await keep(keeping);
  } catch {
    await caches.delete(keptPagesCache).catch(() => undefined);
  }
}

async function keep({ ownerId, isOwn, ...keeping }: Keeping): Promise<void> {
  // Of somebody who is far down the newest posts are put away: what was kept of them stays.
  const atHome =
    keeping.atHome &&
    !document.querySelector("main :is(article, [data-far])")?.matches("[data-far]");
  if (!isOwn() || (!atHome && noticeKept)) return;
  await registerWorker();
  const cache = await openFor(ownerId);
  const notice = noticePage();
  const feed = atHome ? copyOfFeed() : null;
  const wanted = new Set([keptNotice]);
  await keepFiles(cache, notice, wanted);
  if (feed) {
    wanted.add(keptFeed);
    await keepFiles(cache, feed, wanted);
    await keepPictures(cache, feed, wanted);
  }
  if (!isOwn()) return;
  await cache.put(keptNotice, answerOf(notice, ownerId));
  if (feed) await cache.put(keptFeed, answerOf(feed, ownerId));
  if (atHome) {
    for (const request of await cache.keys()) {
      if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
    }
  }
  noticeKept = true;
  if (!isOwn()) await caches.delete(keptPagesCache);
}

/** What another member left is no beginning for this one's. */
async function openFor(ownerId: string): Promise<Cache> {
  const cache = await caches.open(keptPagesCache);
  const notice = await cache.match(keptNotice);
  if (!notice || notice.headers.get("Postcard-Viewer") === ownerId) return cache;
  await caches.delete(keptPagesCache);
  return caches.open(keptPagesCache);
}

function answerOf(page: Document, ownerId: string): Response {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Postcard-Viewer": ownerId,
    Date: new Date().toUTCString(),
  };
  return new Response(`<!DOCTYPE html>${page.documentElement.outerHTML}`, { headers });
}

/** The style, the letters, the sheets of drawings and the one script: whatever has no hash is read anew. */
async function keepFiles(cache: Cache, page: Document, wanted: Set<string>): Promise<void> {
  const sheets = [...page.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const drawings = [...page.querySelectorAll("use")];
  const letters = performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".woff2"));
  const paths = new Set([
    offlineScript,
    ...[...sheets, ...drawings].map((node) => addressOf(node.getAttribute("href"))),
    ...letters.map(({ name }) => addressOf(name)),
  ]);
  for (const path of paths) {
    if (path === null || wanted.has(path)) continue;
    wanted.add(path);
    if (path !== offlineScript && (await cache.match(path))) continue;
    await cache.put(path, await read(path));
  }
}

/** In the order of the page, as far as the room goes. A picture's address never shows another one. */
async function keepPictures(cache: Cache, page: Document, wanted: Set<string>): Promise<void> {
  let room = picturesBytes;
  for (const image of page.querySelectorAll("img")) {
    const path = addressOf(image.getAttribute("src"));
    if (path === null || wanted.has(path)) continue;
    const kept = (await cache.match(path)) ?? (await read(path).catch(() => null));
    const picture = await kept?.blob();
    if (!picture || picture.size > room) {
      image.removeAttribute("src");
      continue;
    }
    room -= picture.size;
    wanted.add(path);
    await cache.put(path, new Response(picture));
  }
}

async function read(path: string): Promise<Response> {
  const answer = await fetch(path, path === offlineScript ? { cache: "no-cache" } : {});
  if (!answer.ok) throw new Error(`${path} was not answered`);
  return answer;
}
