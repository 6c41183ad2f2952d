// The one worker of this origin. It shows what a push says, and it answers in the place of a server that
// cannot be reached: with the member's last home feed, read-only, and elsewhere with a page that says so.
// What it answers with is written by the pages (app/features/offline). While the server answers, nothing
// comes from here: no document, no script, no picture.

const kept = "postcard-offline-1";
const keptFeed = "/kept/feed";
const keptNotice = "/kept/notice";
/** Whose a page is: said by the server about each document, and by us about what is kept. */
const ownerHeader = "Postcard-Viewer";
/** Said by the pages about what they keep that is not for everyone. */
const narrowHeader = "Postcard-Narrow";
/** A feed that nobody could renew for so long is not shown any more. */
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** The windows that show a kept page: their style and pictures are kept beside it. */
const windowsOfKeptPages = new Set();

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  // A page's request does not wait for this worker to start.
  await self.registration.navigationPreload?.enable();
  const former = (await caches.keys()).filter((name) => name !== kept);
  await Promise.all(former.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request, clientId } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  // However it is sent, by a script or by a plain form, and whatever comes of it.
  if (request.method === "POST" && /^\/signout(\.data)?$/i.test(url.pathname)) {
    event.waitUntil(caches.delete(kept));
  } else if (request.method !== "GET") {
    return;
  } else if (request.mode === "navigate") {
    // Downloads and opened pictures are no pages of ours; what a link shows to guests is nobody's to keep.
    if (/^\/(?:api|v1|images|assets|health|l|shared)\//.test(url.pathname)) return;
    event.respondWith(networkFirst(event, url));
  } else if (windowsOfKeptPages.has(clientId)) {
    event.respondWith(besideAKeptPage(request));
  }
});

async function networkFirst(event, url) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(forget(answer));
    return answer;
  } catch (error) {
    const page = await keptPage(url);
    if (!page) throw error;
    windowsOfKeptPages.add(event.resultingClientId);
    return page;
  }
}

/** The feed for the newest page of home, the notice for everything else. */
async function keptPage({ pathname, searchParams }) {
  const isHome = pathname === "/" && !searchParams.has("cursor");
  const feed = isHome ? await find(keptFeed) : undefined;
  if (feed && Date.parse(feed.headers.get("Date")) > Date.now() - weekMs) return feed;
  return find(keptNotice);
}

async function besideAKeptPage(request) {
  return (await find(request)) ?? fetch(request);
}

const find = (request) => caches.match(request, { cacheName: kept, ignoreVary: true });

/**
 * The server answered as to somebody else, or to a visitor: what is kept here was not theirs. To its owner: a
 * feed with posts that are not for everyone, and its pictures, are kept only until then, because they may not
 * be for its owner any more. Home keeps them anew.
 */
async function forget(answer) {
  const viewer = answer.headers.get(ownerHeader);
  const notice = viewer === null ? undefined : await find(keptNotice);
  if (!notice) return;
  if (notice.headers.get(ownerHeader) !== viewer) return void (await caches.delete(kept));
  const feed = await find(keptFeed);
  if (!feed?.headers.has(narrowHeader)) return;
  const cache = await caches.open(kept);
  for (const request of await cache.keys()) {
    const file = await cache.match(request);
    if (file?.headers.has(narrowHeader)) await cache.delete(request);
  }
}

self.addEventListener("push", (event) => {
  let news = {};
  try {
    news = event.data.json();
  } catch {
    // Browsers want to see something for every push.
  }
  const { title = "Postcard", body = "", url = "/notifications", tag } = news;
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      icon: "/icon-192.png",
      dir: "auto",
      data: { url },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

// Only ever a page of this origin, in a window that is open already where there is one.
async function open(path) {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const [first] = windows;
  if (!first) return void (await self.clients.openWindow(url.href));
  await first.focus();
  await first.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}
