import { createHash } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fastify from "fastify";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { refuse } from "#shared/errors.ts";
import { currentClient } from "#server/features/identity/current-client.ts";
import { compressFor } from "#server/http/compress.ts";
import { addErrorMapper, answerError, toRefusal } from "#server/http/errors.ts";
import { loggedPath } from "#server/http/logging.ts";
import { createOriginGuard } from "#server/http/origin-guard.ts";
import { readCookie } from "#server/features/identity/index.ts";
import { themeOf, timeZoneOf } from "#server/http/page-context.ts";
import { addRequestClient } from "#server/http/request-client.ts";
import { refuseOtherTargets, toOriginForm } from "#server/http/request-target.ts";
import { addSecurityHeaders, allowByHash } from "#server/http/security-headers.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { limits } from "#shared/limits.ts";

async function smallApp({ https = false } = {}) {
  const app = fastify();
  await addSecurityHeaders(app, { https, development: false, imageBaseUrl: null });
  addErrorMapper(app);
  app.addHook(
    "onRequest",
    createOriginGuard({ own: ["http://localhost:3000", "http://127.0.0.1:3000"], allowed: [] }),
  );
  app.all("/thing", async (request) => ({ nonce: request.nonce }));
  app.get("/refused", async () => {
    throw refuse("too-many-attempts", { retryAfter: 7 });
  });
  app.get("/broken", async () => {
    throw new Error("secret detail of the database");
  });
  return app;
}

describe("requests that change something", () => {
  test.each([
    ["our own origin", { origin: "http://localhost:3000" }, 200],
    ["our own origin by its number", { origin: "http://127.0.0.1:3000" }, 200],
    ["a program without a browser's headers", {}, 200],
    ["another site", { origin: "https://evil.example" }, 403],
    ["another port of this machine", { origin: "http://localhost:3001" }, 403],
    ["the same name on https", { origin: "https://localhost:3000" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["a browser on another site that hides its origin", { "sec-fetch-site": "cross-site" }, 403],
    ["a browser on a neighbouring site", { "sec-fetch-site": "same-site" }, 403],
    ["a browser on our own page", { "sec-fetch-site": "same-origin" }, 200],
  ])("from %s", async (_who, headers, status) => {
    const app = await smallApp();
    const answer = await app.inject({ method: "POST", url: "/thing", headers });
    expect(answer.statusCode).toBe(status);
  });

  test("reading is allowed from anywhere", async () => {
    const app = await smallApp();
    const headers = { origin: "https://evil.example" };
    const answer = await app.inject({ method: "GET", url: "/thing", headers });
    expect(answer.statusCode).toBe(200);
  });
});

const allowed = (code: string) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

describe("security headers", () => {
  test("every answer has its own nonce and allows no other script or style", async () => {
    const app = await smallApp();
    const [first, second] = await Promise.all([
      app.inject({ url: "/thing" }),
      app.inject({ url: "/thing" }),
    ]);
    const policy = String(first.headers["content-security-policy"]);
    const { nonce } = first.json<{ nonce: string }>();
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`);
    expect(policy).not.toMatch(/unsafe|upgrade-insecure|\*/);
    expect(second.json<{ nonce: string }>().nonce).not.toBe(nonce);
    expect(first.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("a page that caches store allows by hash what carried its nonce, and nothing else", async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const nonce = "bm9uY2U+/w==";
    response.setHeader(
      "Content-Security-Policy",
      `default-src 'self';script-src 'self' 'nonce-${nonce}';style-src 'self' 'nonce-${nonce}'`,
    );
    const html =
      `<script nonce="${nonce}">one("ü\n")</script><script>injected()</script>` +
      `<script nonce="${nonce}" type="later">two()</script><script nonce="other">three()</script>` +
      `<script nonce="${nonce}" src="/x.js"></script><style nonce="${nonce}">p{}</style>`;
    const cached = allowByHash(html, nonce, response);
    expect(response.getHeader("Content-Security-Policy")).toBe(
      `default-src 'self';script-src 'self' ${allowed('one("ü\n")')} ${allowed("two()")};` +
        `style-src 'self' ${allowed("p{}")}`,
    );
    expect(cached).toBe(html.replaceAll(` nonce="${nonce}"`, ""));
  });

  test("no page may use the camera, the microphone, the position or a device", async () => {
    const answer = await (await smallApp()).inject({ url: "/thing" });
    const denied = String(answer.headers["permissions-policy"]).split(", ");
    expect(denied).toEqual(
      expect.arrayContaining(["camera=()", "microphone=()", "geolocation=()", "usb=()"]),
    );
    for (const feature of denied) expect(feature).toMatch(/^[a-z-]+=\(\)$/);
  });

  test("strict transport is promised on https only", async () => {
    const plain = await (await smallApp()).inject({ url: "/thing" });
    const secure = await (await smallApp({ https: true })).inject({ url: "/thing" });
    expect(plain.headers).not.toHaveProperty("strict-transport-security");
    expect(secure.headers).toHaveProperty("strict-transport-security");
  });
});

describe("errors for programs", () => {
  test("a refusal keeps its status, its sentence and when to come back", async () => {
    const answer = await (await smallApp()).inject({ url: "/refused" });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["retry-after"]).toBe("7");
    expect(answer.json()).toMatchObject({ error: { code: "too-many-attempts" } });
  });

  test("an unexpected error reveals nothing internal", async () => {
    const answer = await (await smallApp()).inject({ url: "/broken" });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain("secret detail");
    expect(answer.json()).toMatchObject({ error: { code: "internal" } });
  });

  test("a person gets a page of the same status, without scripts", async () => {
    const headers = { accept: "text/html,application/xhtml+xml" };
    const answer = await (await smallApp()).inject({ url: "/refused", headers });
    expect(answer.statusCode).toBe(429);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["retry-after"]).toBe("7");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.body).toContain("Too many tries.");
  });

  test("an address that cannot be decoded is the sender's mistake", async () => {
    const app = fastify({ frameworkErrors: answerError });
    const answer = await app.inject({ url: "/%" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: "input-invalid" } });
  });

  test("a database that is away is a 503", () => {
    expect(toRefusal(Object.assign(new Error("x"), { code: "57P03" })).status).toBe(503);
    expect(toRefusal(Object.assign(new Error("x"), { code: "ECONNREFUSED" })).status).toBe(503);
    expect(toRefusal(Object.assign(new Error("x"), { code: "23505" })).status).toBe(500);
  });
});

test("logs hold no email and no query", () => {
  expect(loggedPath("/post/ana.b@example.org/3?q=secret")).toBe("/post/<email>/3");
  expect(loggedPath("/api/users/ana%40example.org")).toBe("/api/users/<email>");
  expect(loggedPath("/search?q=ana@example.org")).toBe("/search");
});

test.each([
  ["/stopEmails/0198c0de.aSignature", "/stopEmails/<link>"],
  ["/stopemails/0198c0de.aSignature.data?_routes=x", "/stopemails/<link>"],
  ["/verify/aToken", "/verify/<link>"],
  ["/signIn/reset/aToken.data", "/signIn/reset/<link>"],
  ["http://other.example/signIn/link/aToken", "http://other.example/signIn/link/<link>"],
])("logs hold no token of a mailed link: %s", (url, logged) => {
  expect(loggedPath(url)).toBe(logged);
});

test("an address in the log is no longer than a line, and no email shows at its end", () => {
  expect(loggedPath(`/${"a".repeat(15_000)}`)).toBe(`/${"a".repeat(499)}…`);
  expect(loggedPath(`/${"a".repeat(494)}/ada@example.org`)).not.toContain("ada");
});

const logMany = (path: string) => () => {
  for (let n = 0; n < 30; n += 1) loggedPath(path);
};

test.each([
  ["one segment", `/${"a".repeat(15_000)}`],
  ["many segments", "/a".repeat(7_500)],
  ["much that may be an email", `/${"%4".repeat(7_500)}`],
  ["many emails", "/@".repeat(7_500)],
  ["many beginnings of mailed links", "/signIn/reset".repeat(1_150)],
])("the log takes as long for any 15 kB of address: %s", async (_what, url) => {
  const harmless = logMany(`/${"abcdefg/".repeat(1_875)}`);
  // 3.3 on some processors for 7,500 emails in place of 1,875 words; a square would be hundreds.
  expect(await cpuRatio({ hostile: logMany(url), harmless, rounds: 9 })).toBeLessThan(5);
});

test("code called by a handler knows the network and the device, even after a body was read", async () => {
  const app = fastify();
  addRequestClient(app);
  app.post("/thing", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return currentClient.getStore();
  });
  const answer = await app.inject({
    method: "POST",
    url: "/thing",
    remoteAddress: "203.0.113.9",
    headers: { "user-agent": "a browser" },
    payload: { a: "body" },
  });
  expect(answer.json()).toMatchObject({ ip: "203.0.113.9", userAgent: "a browser" });
  expect(currentClient.getStore(), "and nobody outside").toBeUndefined();
});

test("a request names ten proxies: what its client put in front of them is ignored", async () => {
  const app = fastify({ trustProxy: ["loopback"] });
  addRequestClient(app);
  app.get("/thing", async ({ ip, ips }) => ({ ip, ips: ips?.length }));
  const asked = async (passed: string) =>
    (await app.inject({ url: "/thing", headers: { "x-forwarded-for": passed } })).json<unknown>();
  expect(await asked("::1,".repeat(3000) + "::1")).toEqual({ ip: "::1", ips: 11 });
  const proxies = ", 127.0.0.1".repeat(9);
  expect(await asked(`198.51.100.4, 203.0.113.9${proxies}`)).toEqual({
    ip: "203.0.113.9",
    ips: 11,
  });
});

/** Status and body of the answer to a request line of our own. */
async function statusOf(target: string): Promise<string> {
  const app = fastify({ rewriteUrl: toOriginForm(["http://localhost:3000"]) });
  refuseOtherTargets(app);
  addErrorMapper(app);
  app.get("/thing", async (request) => request.url);
  await app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    socket.end(`GET ${target} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    return `${head.split(" ")[1]} ${body}`;
  } finally {
    await app.close();
  }
}

describe("a request that names its whole address", () => {
  test.each([
    ["/thing?q=1", "200 /thing?q=1"],
    ["http://localhost:3000/thing?q=1", "200 /thing?q=1"],
  ])("of ours is served: %s", async (target, answer) => {
    expect(await statusOf(target)).toBe(answer);
  });

  test.each([
    "http://other.example/thing",
    "http://localhost:3001/thing",
    "http://localhost:3000@other.example/thing",
    "http://other.example/nothing",
  ])("of another server is refused: %s", async (target) => {
    expect(await statusOf(target)).toMatch(/^400 .*input-invalid/);
  });
});

describe("an address that nothing here can have", () => {
  const { pathBytes, segments, discovered } = limits.address;

  test.each([
    ["with too long a path", `/${"a".repeat(pathBytes)}`],
    ["with too many segments", "/a".repeat(segments + 1)],
    ["with as many backslashes, which a URL's parser reads as slashes", "/a".padEnd(40, "\\a")],
    ["of nothing but slashes", "/".repeat(segments + 1)],
    ["of a call", `/api${"/a".repeat(segments)}`],
    ["of many routes at once", `/__manifest?paths=${"a,".repeat(discovered)}`],
    ["of routes too deep", `/__manifest?paths=${"/a".repeat(segments + 1)}`],
    ["of routes by another spelling", `/./__manifest?%70aths=${"a,".repeat(discovered)}`],
  ])("is refused %s", async (_how, target) => {
    expect(await statusOf(target)).toMatch(/^414 .*address-too-long/);
  });

  test.each([
    ["with the longest hashtag there is", `/${"%EF%AC%80".repeat(limits.tagCodeUnits)}`],
    ["with as many segments as allowed", "/a".repeat(segments)],
    ["with a long query", `/thing/a?${"/a".repeat(5_000)}`],
    ["of the routes of a page's links", `/__manifest?paths=${"/a/b/c,".repeat(discovered - 1)}`],
    ["that only looks like that of routes", `/a__manifest?paths=${"a,".repeat(discovered)}`],
  ])("is not refused %s", async (_how, target) => {
    expect(await statusOf(target)).toMatch(/^405 /);
  });

  test("is explained to people on a page", async () => {
    const app = await smallApp();
    refuseOtherTargets(app);
    const headers = { accept: "text/html" };
    const answer = await app.inject({ url: "/a".repeat(7_000), headers });
    expect(answer.statusCode).toBe(414);
    expect(answer.headers["content-type"]).toContain("text/html");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body).toContain("This address is too long");
  });
});

/** How far a Brotli stream says it looks back, as a power of two: RFC 7932, section 9.1. */
function windowOf(stream: Buffer): number {
  const first = stream[0] ?? 0;
  if ((first & 1) === 0) return 16;
  const [low, high] = [(first >> 1) & 7, (first >> 4) & 7];
  if (low > 0) return 17 + low;
  return high > 0 ? 8 + high : 17;
}

describe("compression", () => {
  const page = Buffer.from("<p>postcard</p>".repeat(500));

  test("uses an encoding that the client accepts, and says so", async () => {
    const zstd = await compressFor("gzip, deflate, br, zstd", page);
    expect(zstd.encoding).toBe("zstd");
    expect(zstdDecompressSync(zstd.body)).toEqual(page);
    const br = await compressFor("gzip, deflate, br", page);
    expect(br.encoding).toBe("br");
    expect(brotliDecompressSync(br.body)).toEqual(page);
    const gz = await compressFor("gzip, br;q=0, zstd;q=0.0", page);
    expect(gz.encoding).toBe("gzip");
    expect(gunzipSync(gz.body)).toEqual(page);
  });

  test.each([
    [7_500, 13],
    [60_000, 16],
    [160_000, 18],
    [2_000_000, 18],
  ])("of %i bytes looks back over 2 to the power of %i at most", async (bytes, window) => {
    const body = Buffer.alloc(bytes, "<p>postcard</p>");
    const { body: br } = await compressFor("br", body);
    expect(brotliDecompressSync(br)).toEqual(body);
    expect(windowOf(br)).toBe(window);
  });

  test("leaves small answers and other clients alone", async () => {
    expect(await compressFor("br", Buffer.from("short"))).toMatchObject({ encoding: null });
    expect(await compressFor(undefined, page)).toEqual({ body: page, encoding: null });
    expect(await compressFor("identity", page)).toEqual({ body: page, encoding: null });
  });
});

describe("cookies of the screens", () => {
  test("a broken or unknown time zone reads as UTC", () => {
    expect(timeZoneOf("time_zone=Europe%2FParis")).toBe("Europe/Paris");
    expect(timeZoneOf("time_zone=Mars/Olympus")).toBe("UTC");
    expect(timeZoneOf("time_zone=%E0%A4%A")).toBe("UTC");
    expect(timeZoneOf(undefined)).toBe("UTC");
  });

  test("the theme is light until synthwave was chosen", () => {
    expect(themeOf("a=1; theme=synthwave")).toBe("synthwave");
    expect(themeOf("theme=<script>")).toBe("light");
    expect(themeOf(undefined)).toBe("light");
  });

  test("a name inside another name is not taken for it", () => {
    expect(readCookie("my_theme=synthwave", "theme")).toBeNull();
  });

  test("if a name appears twice the first one counts, and a value may have any character", () => {
    expect(readCookie("a=1; theme=a; theme=b", "theme")).toBe("a");
    expect(readCookie(" theme = x%3B%20y=z== ;b", "theme")).toBe("x; y=z==");
    expect(readCookie("theme", "theme")).toBeNull();
    expect(readCookie("a=1", "constructor")).toBeNull();
  });
});
