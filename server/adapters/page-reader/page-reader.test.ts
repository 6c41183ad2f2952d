import { describe, expect, test } from "vitest";
import { linksIn } from "#server/adapters/page-reader/links.ts";
import { createPageReader } from "#server/adapters/page-reader/page-reader.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { siteOfOthers } from "#server/test/site.ts";

const publicUrl = "https://photos.example.org";
const reader = createPageReader({ publicUrl, loopback: true, timeoutMs: 500 });

const html = { "content-type": "text/html; charset=utf-8" };

describe("a page of others", () => {
  test("is read, also behind a redirect of its own site", async () => {
    const { origin, asked } = await siteOfOthers(({ url }, response) =>
      url === "/"
        ? response.writeHead(301, { location: "/me" }).end()
        : response.writeHead(200, html).end("<p>It's me.</p>"),
    );
    expect(await reader.read(`${origin}/`)).toBe("<p>It's me.</p>");
    expect(asked).toEqual(["/", "/me"]);
  });

  test.each([
    "http://example.org/",
    "https://example.org:8443/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://localhost/",
    "https://database/",
    "https://me@example.org/",
    "https:\\\\example.org",
    "ftp://example.org/",
    "she/her",
    "",
    `https://example.org/${"a".repeat(2000)}`,
  ])("is not asked for at %s", async (address) => {
    const strict = createPageReader({ publicUrl });
    expect(strict.mayRead(address)).toBe(false);
    expect(await strict.read(address)).toBeNull();
  });

  test("is not asked for on this machine, whatever its name", async () => {
    const strict = createPageReader({ publicUrl });
    const { origin, asked } = await siteOfOthers((_, response) =>
      response.writeHead(200, html).end("x"),
    );
    const { port } = new URL(origin);
    // Resolves to 127.0.0.1 on every machine, and has a dot.
    expect(await strict.read("https://localhost.localdomain/")).toBeNull();
    expect(await strict.read(`https://127.0.0.1:${port}/`)).toBeNull();
    expect(asked).toEqual([]);
  });

  test("is none where it redirects to another site, or to itself without end", async () => {
    const inside = await siteOfOthers((_, response) => response.writeHead(200, html).end("secret"));
    const { origin, asked } = await siteOfOthers(({ url = "" }, response) => {
      const location = url === "/out" ? `${inside.origin}/` : `/again${url}`;
      response.writeHead(302, { location }).end();
    });
    expect(await reader.read(`${origin}/out`)).toBeNull();
    expect(inside.asked).toEqual([]);
    expect(await reader.read(`${origin}/a`)).toBeNull();
    expect(asked).toHaveLength(5);
  });

  test("is read up to a megabyte, and no longer than it may take", async () => {
    const { origin } = await siteOfOthers(({ url }, response) => {
      if (url === "/silent") return;
      response.writeHead(200, html);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      if (url === "/endless") more();
      else response.write("a beginning");
    });
    expect(await reader.read(`${origin}/endless`)).toHaveLength(1_000_000);
    expect(await reader.read(`${origin}/silent`)).toBeNull();
    expect(await reader.read(`${origin}/begins`)).toBeNull();
  });

  test("is none if it is something else, or not there", async () => {
    const { origin } = await siteOfOthers(({ url }, response) => {
      if (url === "/gone") response.writeHead(404, html).end("<p>Not here");
      else response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    expect(await reader.read(`${origin}/gone`)).toBeNull();
    expect(await reader.read(`${origin}/json`)).toBeNull();
  });

  test("is never asked for by a server that nobody can link to", () => {
    for (const own of ["http://localhost:3000", "https://192.168.1.5", "http://photos.example.org"])
      expect(createPageReader({ publicUrl: own }).enabled, own).toBe(false);
    expect(createPageReader({ publicUrl }).enabled).toBe(true);
  });
});

describe("links with a relation", () => {
  test.each([
    [`<a rel="me" href="https://a.example/">`, ["https://a.example/"]],
    [`<A HREF=https://a.example/ REL='nofollow  Me noopener'>`, ["https://a.example/"]],
    [`<link href="/x" rel=me />`, ["/x"]],
    [`<a\nrel = "me"\nhref = ' /x '\n>`, ["/x"]],
    [`<a href="/x" rel="me" href="/y" rel="other">`, ["/x"]],
    [`<a title="<a rel='me' href='/x'>" href="/y">`, []],
    [`<!-- <a rel="me" href="/x"> --><a rel="me" href="/y">`, ["/y"]],
    [`<script>"<a rel='me' href='/x'>"</script><a rel="me" href="/y">`, ["/y"]],
    [`<textarea><a rel="me" href="/x"></textarea>`, []],
    [`<title><a rel="me" href="/x"></title>`, []],
    [`&lt;a rel="me" href="/x"&gt;`, []],
    [`<abbr rel="me" href="/x"><area rel="me" href="/x">`, []],
    [`<a rel="menu" href="/x"><a rel="me"><a href="/x">`, []],
    [`<a rel="me" href="/x`, []],
    [`1 < 2 <a rel="me" href="/x">`, ["/x"]],
  ])("in %s are %s", (page, expected) => {
    expect(linksIn(page, "me")).toEqual(expected);
  });

  test.each(["<", "<a ", "<a b", '<a "', "<a =", "<!--", "<script>", "<a b='", '<a b="', "</a"])(
    "cost what harmless ones do in a page of %s",
    async (part) => {
      const size = 300_000;
      const page = part.repeat(Math.ceil(size / part.length));
      const plain = "<p>Some words</p>\n".repeat(Math.ceil(size / 18));
      const ratio = await cpuRatio({
        hostile: () => linksIn(page, "me"),
        harmless: () => linksIn(plain, "me"),
        rounds: 5,
      });
      expect(ratio).toBeLessThan(30);
    },
  );
});
