import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtScreens, testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import { startProgram, temporaryFolder } from "#server/test/processes.ts";
import { until } from "#server/test/until.ts";
import type { Viewer } from "#shared/views.ts";

/* A real cache in front: nginx, set up as docs/operations.md says. It stores what the headers let it. */
const root = join(import.meta.dirname, "../..");
const hasNginx = (() => {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const above = temporaryFolder();
let front: number;
let member: Viewer;
let cookie: string;
let post: MadePost;
let on: Awaited<ReturnType<typeof testApp>>;

type NginxPaths = { folder: string; listen: number; server: number };

/** The configuration from the operators' documentation, with these ports and this folder. */
function configuration({ folder, listen, server }: NginxPaths): string {
  const text = readFileSync(join(root, "docs/operations.md"), "utf8");
  const section = text.slice(text.indexOf("## Caches in front"));
  const [, example = ""] = /```nginx\n([^]*?)```/.exec(section) ?? [];
  const here = example
    .replace("/var/cache/nginx/postcard", `"${folder}/cache"`)
    .replace("listen 443 ssl http2", `listen 127.0.0.1:${listen}`)
    .replaceAll(/^\s*ssl_\w+ .*$/gm, "")
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${server}`);
  return `
    daemon off; pid "${folder}/nginx.pid"; error_log stderr warn; worker_processes 2;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events {}
    http {
      access_log off; client_body_temp_path "${folder}/body"; proxy_temp_path "${folder}/proxy";
      fastcgi_temp_path "${folder}/f"; uwsgi_temp_path "${folder}/u"; scgi_temp_path "${folder}/s";
      ${here}
    }`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

type Answer = { status: number; cache: string; headers: IncomingHttpHeaders; body: Buffer };

function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const at = { host: "127.0.0.1", port: front, path, method, headers, agent: false };
    const asking = httpRequest(at, (answer) => {
      const { statusCode: status = 0, headers: said } = answer;
      const cache = String(said["x-cache"] ?? "");
      buffer(answer).then((body) => resolve({ status, cache, headers: said, body }), reject);
    });
    asking.on("error", reject);
    asking.end();
  });
}

/** Answers from the cache: nginx stores a copy a moment after it has passed it on. */
async function cachedAnswer(...asked: Parameters<typeof ask>): Promise<Answer> {
  let answer = await ask(...asked);
  await until(async () => {
    if (answer.cache !== "HIT") answer = await ask(...asked);
    return answer.cache === "HIT";
  });
  return answer;
}

const unpacked = ({ headers, body }: Answer) =>
  headers["content-encoding"] === "br"
    ? brotliDecompressSync(body)
    : headers["content-encoding"] === "gzip"
      ? gunzipSync(body)
      : body;
const textOf = (answer: Answer) => unpacked(answer).toString();

/** Whose page it is, by the server's header and by the words in it. */
function viewerOf(answer: Answer): "visitor" | "member" {
  const { "postcard-viewer": id } = answer.headers;
  const greeted = textOf(answer).includes('aria-label="Notifications');
  expect(greeted).toBe(id === member.id);
  return id === member.id ? "member" : "visitor";
}

const postPath = () => `/post/${member.username}/${post.number}`;

describe.skipIf(!hasNginx)(
  "behind nginx with a cache (needs nginx: apt install nginx-light)",
  () => {
    beforeAll(async () => {
      const { db } = await freshDatabase();
      const screens = await builtScreens();
      on = await testApp(db, {}, { screens });
      member = await on.features.member("Molly Member", Date.now() - 2 * 86_400_000);
      cookie = await on.cookieOf(member);
      post = await on.features.photoPost(member, "Low tide", ["Boats"]);
      await on.app.listen({ port: 0, host: "127.0.0.1" });
    });

    // Each test begins with an empty cache.
    beforeEach(async () => {
      const { port } = on.app.server.address() as AddressInfo;
      front = await freePort();
      const folder = mkdtempSync(join(above, "nginx-"));
      writeFileSync(
        join(folder, "nginx.conf"),
        configuration({ folder, listen: front, server: port }),
      );
      startProgram(["nginx", "-p", folder, "-c", join(folder, "nginx.conf")]);
      await until(() =>
        ask("/health/live").then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    });

    test("the second visitor of a page gets the first one's copy, and no program's call is stored", async () => {
      for (const path of ["/", "/search", postPath(), `/search/${member.id}`]) {
        const [first, second] = [await ask(path), await ask(path)];
        expect([first.status, first.cache, second.cache], path).toEqual([200, "MISS", "HIT"]);
        expect(second.body.equals(first.body)).toBe(true);
        expect(second.headers["content-security-policy"]).toBe(
          first.headers["content-security-policy"],
        );
      }
      for (const path of ["/api/session", "/health/live", "/nowhere", "/signIn", "/?tab=a"]) {
        await ask(path);
        expect((await ask(path)).cache, path).not.toBe("HIT");
      }
    });

    test("a member never gets a visitor's page, nor a visitor a member's, in either order", async () => {
      const paths = {
        visitorFirst: `${postPath()}/likes`,
        memberFirst: `/profile/followers/${member.id}`,
      };
      await ask(paths.visitorFirst);
      expect((await ask(paths.visitorFirst)).cache).toBe("HIT");
      for (const path of Object.values(paths)) {
        for (let time = 0; time < 3; time += 1) {
          const own = await ask(path, { cookie });
          expect([own.status, viewerOf(own), own.cache]).toEqual([200, "member", "MISS"]);
          expect(own.headers["cache-control"]).toBe("private, no-store");
          const open = await ask(path);
          expect([open.status, viewerOf(open)]).toEqual([200, "visitor"]);
          expect(textOf(open)).not.toContain(member.email);
        }
        expect((await ask(path)).cache).toBe("HIT");
      }
    });

    test("visitors who chose a theme, send a key or read on get their own page", async () => {
      const path = `/profile/following/${member.id}`;
      await ask(path);
      expect((await ask(path)).cache).toBe("HIT");
      for (let time = 0; time < 2; time += 1) {
        const dark = await ask(path, { cookie: "theme=synthwave" });
        expect(dark.cache).toBe("MISS");
        expect(textOf(dark)).toContain('data-theme="synthwave"');
        expect((await ask(path, { authorization: "Bearer nobody" })).cache).not.toBe("HIT");
        expect((await ask(`${path}.data`)).cache).toBe("MISS");
        expect((await ask(`${path}?from=elsewhere`)).cache).toBe("MISS");
      }
      expect(textOf(await ask(path))).toContain('data-theme="light"');
    });

    test("each encoding is stored separately, and each is the same page", async () => {
      const { number } = await on.features.photoPost(member, "High tide");
      const path = `/post/${member.username}/${number}`;
      for (const [accepted, sent] of [
        ["br", "br"],
        ["gzip", "gzip"],
        ["identity", undefined],
      ]) {
        const headers = { "accept-encoding": accepted ?? "" };
        const answers = [await ask(path, headers), await ask(path, headers)];
        expect(answers.map(({ cache }) => cache)).toEqual(["MISS", "HIT"]);
        for (const answer of answers) {
          expect(answer.headers["content-encoding"]).toBe(sent);
          expect(textOf(answer)).toContain("High tide");
          expect(textOf(answer)).toMatch(/<\/html>\s*$/);
        }
      }
    });

    test("HEAD gets the headers of the stored copy, whether asked first or last", async () => {
      const { number } = await on.features.photoPost(member, "Ebb");
      const path = `/post/${member.username}/${number}`;
      const before = await ask(path, {}, "HEAD");
      expect([before.status, before.cache]).toEqual([200, "MISS"]);
      const whole = await cachedAnswer(path);
      const after = await cachedAnswer(path, {}, "HEAD");
      expect([before.body.length, after.body.length]).toEqual([0, 0]);
      expect(before.headers["content-length"]).toBe(String(whole.body.length));
      expect(textOf(whole)).toContain("Ebb");
      expect((await ask(path, { cookie }, "HEAD")).headers["postcard-viewer"]).toBe(member.id);
    });

    test("what did not exist is found as soon as it does", async () => {
      const path = `/post/${member.username}/${post.number + 3}`;
      expect((await ask(path)).status).toBe(404);
      const { number } = await on.features.textPost(member, "At last");
      expect(path).toBe(`/post/${member.username}/${number}`);
      const found = await ask(path);
      expect([found.status, found.cache]).toEqual([200, "MISS"]);
    });

    test("images are stored for members and visitors alike, whole, in ranges and by their tag", async () => {
      const [path = ""] =
        /\/images\/[0-9a-f]{32}\/\d+\.webp/.exec(textOf(await ask(postPath()))) ?? [];
      const accept = "image/avif,image/webp,*/*";
      const whole = await ask(path, { accept, cookie });
      const again = await ask(path, { accept });
      expect([whole.status, whole.cache, again.cache]).toEqual([200, "MISS", "HIT"]);
      expect(again.body.equals(whole.body)).toBe(true);
      expect(again.headers["cache-control"]).toBe(
        "public, max-age=31536000, s-maxage=600, immutable",
      );
      const part = await ask(path, { accept, range: "bytes=10-19" });
      expect([part.status, part.cache]).toEqual([206, "HIT"]);
      expect(part.body.equals(whole.body.subarray(10, 20))).toBe(true);
      const known = await ask(path, { accept, "if-none-match": String(whole.headers.etag) });
      expect([known.status, known.cache, known.body.length]).toEqual([304, "HIT", 0]);
      // for a browser that cannot show AVIF
      expect((await ask(path, { accept: "image/png" })).cache).toBe("MISS");
    });

    test("an upload is asked how far it is, not fetched", async () => {
      const id = await on.features.resumableUploads.begin(member, 1000);
      const headers = { cookie, "tus-resumable": "1.0.0" };
      const answer = await ask(`/api/uploads/${id}`, headers, "HEAD");
      expect([answer.status, answer.headers["upload-offset"]]).toEqual([200, "0"]);
    });

    test("a sign-in's cookies reach the member who signed in, and nobody else", async () => {
      for (const path of ["/signUp", "/signIn", "/signOut"]) {
        const turns: Record<string, string>[] = [{}, { cookie }, {}];
        for (const headers of turns) {
          const answer = await ask(path, headers);
          expect(answer.cache, path).not.toBe("HIT");
          expect(answer.headers["cache-control"]).toBe("private, no-store");
        }
      }
    });
  },
);
