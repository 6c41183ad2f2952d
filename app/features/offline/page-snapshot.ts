import { tryAgain } from "#messages/common.json";
import { direction, tag } from "#messages/language.json";
import * as words from "#messages/offline.json";
import { dayAndMonth, dayAndTime } from "#messages/text.json";
import { fill } from "#app/lib/text/messages.tsx";
import { clockTime, momentOf } from "#app/lib/text/times.ts";
import drawings from "#app/ui/drawings.svg?url";

/** The only script that runs in a cached page (public/). */
export const offlineScript = "/offline-page.js";

/** As many posts as one request loads. */
const mostPosts = 20;

/** The parts of a document's head that every page needs. */
const head = "meta[name=viewport], meta[name=theme-color], link[rel=stylesheet], link[rel=icon]";

/** Elements that open, listen, count or sign out: none of them would work. */
const withoutUse =
  "script, dialog, [popover], [popovertarget], aside, output, section.toasts, form[action='/signOut']";

/** A file's address on this server; a CDN's file is here, too. null: nowhere that could be cached. */
export function addressOf(written: string | null): string | null {
  if (!written) return null;
  const { origin, pathname, protocol } = new URL(written, window.location.href);
  if (origin === window.location.origin) return pathname;
  const at = protocol.startsWith("http") ? pathname.indexOf("/images/") : -1;
  return at === -1 ? null : pathname.slice(at);
}

function emptyPage(title: string, kind: "feed" | "notice"): Document {
  const page = document.implementation.createHTMLDocument(title);
  const { documentElement: root } = page;
  root.lang = tag;
  if (direction === "rtl") root.dir = direction;
  root.dataset["theme"] = document.documentElement.dataset["theme"];
  root.dataset["kept"] = kind;
  for (const node of document.head.querySelectorAll(head)) {
    page.head.append(page.importNode(node, true));
  }
  const script = page.createElement("script");
  script.src = offlineScript;
  script.defer = true;
  page.head.append(script);
  page.body.className = document.body.className;
  return page;
}

/** The home page as it is on the screen, without anything that would need the server; null: no post. */
export function copyOfFeed(): Document | null {
  const page = emptyPage("Postcard", "feed");
  page.body.append(...[...document.body.children].map((node) => page.importNode(node, true)));
  const main = page.querySelector("main");
  const posts = [...(main?.querySelectorAll("article, [data-far]") ?? [])];
  // Posts further down are not rendered while they are out of sight.
  const drawn = posts.findIndex((post) => post.matches("[data-far]"));
  const lastPost = posts[Math.min(drawn === -1 ? posts.length : drawn, mostPosts) - 1];
  if (!main || !lastPost) return null;
  // Nothing loads by scrolling.
  while (lastPost.nextSibling) lastPost.nextSibling.remove();
  lastPost.insertAdjacentHTML(
    "afterend",
    `<p class="px-4 py-8 text-center text-muted">${words.keptSoFar}</p>`,
  );
  for (const node of page.body.querySelectorAll(withoutUse)) node.remove();
  for (const form of page.querySelectorAll("form")) form.replaceWith(...form.children);
  for (const input of page.querySelectorAll("input")) input.remove();
  for (const link of page.querySelectorAll("a[role=button]")) link.replaceWith(buttonFrom(link));
  for (const button of page.querySelectorAll("button")) {
    button.disabled = true;
    button.classList.add("opacity-40");
  }
  unfold(main);
  freezeImages(page);
  main.insertAdjacentHTML("afterbegin", feedNotice(new Date()));
  return page;
}

function buttonFrom(link: Element): HTMLButtonElement {
  const button = link.ownerDocument.createElement("button");
  button.className = link.className;
  button.ariaLabel = link.ariaLabel;
  button.append(...link.childNodes);
  return button;
}

/** "… more" would lead to a page that is not cached. */
function unfold(main: Element): void {
  for (const more of main.querySelectorAll("a[data-unfolds]")) {
    const text = more.previousElementSibling;
    text?.classList.remove(
      ...[...text.classList].filter((name) => /^(?:max-h-|line-clamp-|overflow-hidden)/.test(name)),
    );
    more.remove();
  }
}

/** Each in the one width that the screen showed, from this server, and not animated. */
function freezeImages(page: Document): void {
  const shown = new Map<string, string>();
  for (const image of document.querySelectorAll("img")) {
    if (!image.closest("picture")) shown.set(image.getAttribute("src") ?? "", image.currentSrc);
  }
  for (const source of page.querySelectorAll("source")) source.remove();
  for (const image of page.querySelectorAll("img")) {
    const written = image.getAttribute("src") ?? "";
    const path = addressOf(shown.get(written) || written);
    for (const name of ["src", "srcset", "sizes", "fetchpriority"]) image.removeAttribute(name);
    image.setAttribute("loading", "eager");
    if (path !== null) image.setAttribute("src", path);
  }
}

function feedNotice(now: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const time = clockTime(now.getTime(), timeZone);
  const { day, month } = momentOf(now.getTime(), timeZone);
  const whole = fill(dayAndTime, { day: fill(dayAndMonth, { day, month }), time });
  const kept = `<time data-kept="${time}" datetime="${now.toISOString()}">${whole}</time>`;
  return `
    <div role="status" class="sticky top-14 z-10 overflow-hidden border-b border-line bg-base-100 md:top-2 md:mb-6 md:card md:border">
      <div class="airmail h-1.5"></div>
      <p data-while="away" class="px-4 py-3 text-sm text-muted">
        <strong class="text-base font-semibold text-base-content">${fill(words.feedAsOf, { time: kept })}</strong>
        <span class="block">${words.needsConnection}</span>
      </p>
      <p data-while="back" hidden class="px-4 py-2">
        ${words.back} <a href="/" class="inline-flex min-h-11 items-center link">${words.seeNew}</a>
      </p>
    </div>`;
}

/** For every page that is not cached. The address stays, so that it opens when the server is back. */
export function noticePage(): Document {
  const page = emptyPage(`${words.offline} · Postcard`, "notice");
  page.body.innerHTML = `
    <main class="grid min-h-dvh place-items-center px-4 py-10">
      <div class="w-full max-w-lg rotate-1 overflow-hidden rounded-box border border-line bg-base-100 shadow-lg">
        <div class="airmail h-2.5"></div>
        <div class="p-6 sm:p-8">
          <svg aria-hidden="true" class="h-30 fill-primary stroke-danger text-muted"><use href="${drawings}#plane"></use></svg>
          <h1 class="mt-6 font-wordmark text-3xl text-balance">${words.offline}</h1>
          <p class="mt-3 text-muted">${words.notKept}</p>
          <div class="mt-6 flex flex-wrap gap-3">
            <a href="" class="btn btn-primary">${tryAgain}</a>
            <a href="/" class="btn btn-outline border-line">${words.seeFeed}</a>
          </div>
        </div>
        <div class="airmail h-2.5"></div>
      </div>
    </main>`;
  return page;
}
