import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { offlinePagesCache } from "#app/lib/browser-data.ts";

/*
 * The worker of public/, run as it is in a scope of its own, with a cache of its own and a network that the
 * test cuts.
 */

const source = readFileSync(new URL("../../../public/service-worker.js", import.meta.url), "utf8");
const origin = "https://postcard.example";

type Answer = Response | null | undefined;
type Asked = {
  method?: string;
  mode?: "navigate" | "cors" | "no-cors";
  clientId?: string;
};

function installed() {
  const stored = new Map<string, Map<string, Response>>();
  const pathOf = (request: string | { url: string }) =>
    new URL(typeof request === "string" ? request : request.url, origin).pathname;
  const caches = {
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    open: async (name: string) => ({
      keys: async () => [...(stored.get(name)?.keys() ?? [])],
      match: async (path: string) => stored.get(name)?.get(path)?.clone(),
      delete: async (path: string) => stored.get(name)?.delete(path) ?? false,
    }),
    match: async (request: string, { cacheName }: { cacheName: string }) =>
      stored.get(cacheName)?.get(pathOf(request))?.clone(),
  };
  const listeners = new Map<string, (event: object) => void>();
  const network = { viewer: "ana", cut: false, asked: [] as string[] };
  const fetch = async (request: string | { url: string }) => {
    network.asked.push(pathOf(request));
    if (network.cut) throw new TypeError("Failed to fetch");
    return new Response("from the server", { headers: { "Postcard-Viewer": network.viewer } });
  };
  const self = {
    location: { origin },
    addEventListener: (name: string, listener: (event: object) => void) =>
      listeners.set(name, listener),
    skipWaiting: async () => undefined,
    registration: { navigationPreload: { enable: async () => undefined } },
    clients: { claim: async () => undefined },
  };
  runInContext(source, createContext({ self, caches, fetch, URL, Date, Promise, Set }));

  /** @returns the worker's answer; undefined: it leaves the request alone */
  async function dispatch(name: string, event: object): Promise<Answer> {
    const waiting: Promise<unknown>[] = [];
    let answer: Promise<Response> | undefined;
    listeners.get(name)?.({
      ...event,
      waitUntil: (work: Promise<unknown>) => waiting.push(work),
      respondWith: (given: Promise<Response>) => {
        answer = given;
      },
    });
    const given = await answer?.catch(() => null);
    await Promise.all(waiting);
    return given;
  }

  function ask(path: string, asked: Asked = {}): Promise<Answer> {
    const { method = "GET", mode = "navigate", clientId = "" } = asked;
    const request = { url: new URL(path, origin).href, method, mode };
    return dispatch("fetch", { request, clientId, resultingClientId: "cached window" });
  }

  /** What a page of `owner` caches (cache-pages.ts). */
  function fillCache(owner: string, at = new Date()): void {
    const headers = { "Postcard-Viewer": owner, Date: at.toUTCString() };
    const page = (words: string) => new Response(words, { headers });
    stored.set(
      offlinePagesCache,
      new Map([
        ["/kept/feed", page("the cached feed")],
        ["/kept/notice", page("the notice")],
        ["/images/a/640.webp", new Response("a cached photo")],
      ]),
    );
  }

  return { ask, fillCache, network, stored, activate: () => dispatch("activate", {}) };
}

const wordsOf = async (answer: Answer) => (answer ? await answer.text() : answer);

describe("while the server answers", () => {
  test("every document comes from it, whatever is cached", async () => {
    const { ask, fillCache } = installed();
    fillCache("ana");
    for (const path of ["/", "/search", "/?posted=3"]) {
      expect(await wordsOf(await ask(path)), path).toBe("from the server");
    }
  });

  test("scripts, styles, images, calls, downloads and forms bypass the worker", async () => {
    const { ask, fillCache, network } = installed();
    fillCache("ana");
    for (const path of ["/assets/app-1.js", "/images/a/640.webp", "/api/feed", "/search.data"]) {
      expect(await ask(path, { mode: "cors", clientId: "a live window" }), path).toBeUndefined();
    }
    expect(await ask("/api/exports/1/file")).toBeUndefined();
    expect(await ask("/images/a/640.webp")).toBeUndefined();
    expect(await ask("/upload", { method: "POST" })).toBeUndefined();
    expect(await ask("https://elsewhere.example/")).toBeUndefined();
    expect(network.asked).toEqual([]);
  });

  test.each([
    ["another member", "bob"],
    ["a visitor", ""],
  ])("a page for %s empties the cache", async (_who, viewer) => {
    const { ask, fillCache, network, stored } = installed();
    fillCache("ana");
    await ask("/search");
    expect(stored.has(offlinePagesCache)).toBe(true);
    network.viewer = viewer;
    await ask("/search");
    expect(stored.has(offlinePagesCache)).toBe(false);
  });
});

test("what is kept that is not for everyone goes with the next page that the server answers", async () => {
  const narrow = { "Postcard-Viewer": "ana", "Postcard-Narrow": "1" };
  for (const path of ["/", "/search"]) {
    const { ask, fillCache, network, stored } = installed();
    fillCache("ana");
    const cache = stored.get(offlinePagesCache)!;
    const headers = { ...narrow, Date: new Date().toUTCString() };
    cache.set("/kept/feed", new Response("for followers", { headers }));
    cache.set("/images/b/640.webp", new Response("for followers", { headers: narrow }));
    network.cut = true;
    expect(await wordsOf(await ask("/"))).toBe("for followers");
    network.cut = false;
    await ask(path);
    expect([...cache.keys()]).toEqual(["/kept/notice", "/images/a/640.webp"]);
    network.cut = true;
    expect(await wordsOf(await ask("/"))).toBe("the notice");
  }
});

describe("while it cannot be reached", () => {
  test("home is the cached feed, everything else the notice", async () => {
    const { ask, fillCache, network } = installed();
    fillCache("ana");
    network.cut = true;
    expect(await wordsOf(await ask("/"))).toBe("the cached feed");
    expect(await wordsOf(await ask("/?posted=3"))).toBe("the cached feed");
    for (const path of ["/?cursor=abc", "/search", "/chat/1", "/settings"]) {
      expect(await wordsOf(await ask(path)), path).toBe("the notice");
    }
  });

  test("a cached page gets its files from the cache, and a live page none", async () => {
    const { ask, fillCache, network } = installed();
    fillCache("ana");
    network.cut = true;
    const photo = (clientId: string) => ask("/images/a/640.webp", { mode: "no-cors", clientId });
    expect(await photo("cached window")).toBeUndefined();
    await ask("/");
    expect(await wordsOf(await photo("cached window"))).toBe("a cached photo");
    expect(await photo("a live window")).toBeUndefined();
    expect(await ask("/robots.txt", { mode: "cors", clientId: "cached window" })).toBeNull();
  });

  test("a feed of last week is not shown", async () => {
    const { ask, fillCache, network } = installed();
    fillCache("ana", new Date(Date.now() - 8 * 24 * 3_600_000));
    network.cut = true;
    expect(await wordsOf(await ask("/"))).toBe("the notice");
  });

  test("where nothing is cached the browser says so itself", async () => {
    const { ask, network, stored } = installed();
    network.cut = true;
    expect(await ask("/")).toBeNull();
    expect([...stored.keys()]).toEqual([]);
  });
});

test("signing out empties the cache, sent by a form, by a script, and without an answer", async () => {
  for (const asked of [{ mode: "navigate" }, { mode: "cors" }] as const) {
    const { ask, fillCache, network, stored } = installed();
    fillCache("ana");
    network.cut = true;
    expect(await ask("/signOut", { method: "POST", ...asked })).toBeUndefined();
    expect([...stored.keys()]).toEqual([]);
  }
});

test("a new version of the worker deletes what older ones cached", async () => {
  const { activate, fillCache, stored } = installed();
  fillCache("ana");
  stored.set("postcard-offline-0", new Map());
  await activate();
  expect([...stored.keys()]).toEqual([offlinePagesCache]);
});
