import { offlinePagesCache } from "#app/lib/browser-data.ts";
import { registerWorker } from "#app/lib/page/service-worker.ts";
import {
  addressOf,
  copyOfFeed,
  noticePage,
  offlineScript,
} from "#app/features/offline/page-snapshot.ts";

/** Images of a cached feed, bytes together; further ones are left out. */
const maxImageBytes = 8_000_000;

/** Says of a copy that it has something that is not for everyone (public/service-worker.js). */
const narrowHeader = { "Postcard-Narrow": "1" };

const cachedFeed = "/kept/feed";
const cachedNotice = "/kept/notice";

/** What a cached page may do: render, and check whether the server is back. Its forms submit nowhere. */
const policy = [
  "default-src 'none'",
  ...["script", "style", "img", "font", "connect"].map((kind) => `${kind}-src 'self'`),
  ...["base-uri", "form-action", "frame-ancestors"].map((what) => `${what} 'none'`),
].join("; ");

type CacheOptions = {
  ownerId: string;
  /** the page on the screen is the newest page of home */
  atHome: boolean;
  /** whether this page still belongs to that member */
  isOwn: () => boolean;
};

let noticeCached = false;
let last: Promise<void> = Promise.resolve();

/**
 * Caches what the service worker shows while the server cannot be reached: a notice, and at home the feed
 * as it is on the screen. Where there is no space for it, or no permission, nothing is cached.
 */
export function cachePages(options: CacheOptions): Promise<void> {
  last = cacheAfter(last, options);
  return last;
}

async function cacheAfter(before: Promise<void>, options: CacheOptions): Promise<void> {
  await before;
  try {
    await cacheAll(options);
  } catch {
    await caches.delete(offlinePagesCache).catch(() => undefined);
  }
}

async function cacheAll({ ownerId, isOwn, ...options }: CacheOptions): Promise<void> {
  // Far down the feed the newest posts are not rendered: what was cached of them stays.
  const atHome =
    options.atHome &&
    !document.querySelector("main :is(article, [data-far])")?.matches("[data-far]");
  if (!isOwn() || (!atHome && noticeCached)) return;
  await registerWorker();
  const cache = await openFor(ownerId);
  const notice = noticePage();
  const feed = atHome ? copyOfFeed() : null;
  const wanted = new Set([cachedNotice]);
  await cacheFiles(cache, notice, wanted);
  if (feed) {
    wanted.add(cachedFeed);
    await cacheFiles(cache, feed, wanted);
    await cacheImages(cache, feed, wanted);
  }
  if (!isOwn()) return;
  await cache.put(cachedNotice, answerOf(notice, ownerId));
  if (feed) {
    const narrow = feed.querySelector("[data-narrow]") ? narrowHeader : {};
    await cache.put(cachedFeed, answerOf(feed, ownerId, narrow));
  }
  if (atHome) {
    for (const request of await cache.keys()) {
      if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
    }
  }
  noticeCached = true;
  if (!isOwn()) await caches.delete(offlinePagesCache);
}

/** Another member's cache is no basis for this one's. */
async function openFor(ownerId: string): Promise<Cache> {
  const cache = await caches.open(offlinePagesCache);
  const notice = await cache.match(cachedNotice);
  if (!notice || notice.headers.get("Postcard-Viewer") === ownerId) return cache;
  await caches.delete(offlinePagesCache);
  return caches.open(offlinePagesCache);
}

function answerOf(page: Document, ownerId: string, more: Record<string, string> = {}): Response {
  const headers = {
    ...more,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Postcard-Viewer": ownerId,
    Date: new Date().toUTCString(),
  };
  return new Response(`<!DOCTYPE html>${page.documentElement.outerHTML}`, { headers });
}

/** The style, the fonts, the icon sheets and the one script: files without a hash are fetched anew. */
async function cacheFiles(cache: Cache, page: Document, wanted: Set<string>): Promise<void> {
  const sheets = [...page.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const drawings = [...page.querySelectorAll("use")];
  const fonts = performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".woff2"));
  const paths = new Set([
    offlineScript,
    ...[...sheets, ...drawings].map((node) => addressOf(node.getAttribute("href"))),
    ...fonts.map(({ name }) => addressOf(name)),
  ]);
  for (const path of paths) {
    if (path === null || wanted.has(path)) continue;
    wanted.add(path);
    if (path !== offlineScript && (await cache.match(path))) continue;
    await cache.put(path, await read(path));
  }
}

/**
 * In the order of the page, as far as the space goes. An image's address never changes its content; one that
 * is not for everyone is asked for again each time.
 */
async function cacheImages(cache: Cache, page: Document, wanted: Set<string>): Promise<void> {
  let room = maxImageBytes;
  for (const image of page.querySelectorAll("img")) {
    const path = addressOf(image.getAttribute("src"));
    if (path === null || wanted.has(path)) continue;
    const narrow = image.closest("[data-narrow]") ? narrowHeader : null;
    const known = narrow ? undefined : await cache.match(path);
    const cached = known ?? (await read(path).catch(() => null));
    const bytes = await cached?.blob();
    if (!bytes || bytes.size > room) {
      image.removeAttribute("src");
      continue;
    }
    room -= bytes.size;
    wanted.add(path);
    await cache.put(path, new Response(bytes, { headers: narrow ?? {} }));
  }
}

async function read(path: string): Promise<Response> {
  const answer = await fetch(path, path === offlineScript ? { cache: "no-cache" } : {});
  if (!answer.ok) throw new Error(`${path} was not answered`);
  return answer;
}
