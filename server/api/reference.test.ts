import { describe, expect, test } from "vitest";
import type { ApiDocument } from "#server/api/document.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";

const { db } = await freshDatabase();
const { app } = await testApp(db);

async function page(cookie = "") {
  const answer = await app.inject({ url: "/api", headers: { cookie } });
  return { answer, html: answer.body };
}

describe("the page of the calls", () => {
  test("has every call of the document, with a link and something to try", async () => {
    const { html } = await page();
    const document = (await app.inject({ url: "/api/openapi.json" })).json<ApiDocument>();
    const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item!));
    expect(operations.length).toBeGreaterThan(20);
    for (const operation of operations as { summary: string }[]) {
      expect(html).toContain(`>${operation.summary.replaceAll('"', "&quot;")}</h3>`);
    }
    expect(html.match(/curl -X/g)).toHaveLength(operations.length);
    expect(html).toContain("Authorization: Bearer $TOKEN");
    expect(html).toContain("<p><code>ETag</code>: of the document as it is now");
    const byTag = operations as { tags: string[]; summary: string }[];
    const listed = byTag.map(({ tags, summary }) => `${tags.join()}: ${summary}`);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("describes the photos of a new post as the call takes them", async () => {
    const document = (await app.inject({ url: "/api/openapi.json" })).json<ApiDocument>();
    const whole = JSON.stringify(document.paths?.["/api/posts"]);
    expect(whole).toContain("`imageId` is the `data.id`");
    expect(whole).toMatch(/"required":\["imageId","alt"\]/);
  });

  test("has no broken links", async () => {
    const { html } = await page();
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target = ""] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test("follows the content security policy and the reader's theme", async () => {
    const { answer, html } = await page("theme=synthwave");
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    const nonce = /<style nonce="([^"]+)"/.exec(html)?.[1];
    expect(answer.headers["content-security-policy"]).toContain(`'nonce-${nonce}'`);
    expect(html).not.toMatch(/<script| style="| on\w+="/);
    expect(html).toContain('data-theme="synthwave"');
    expect((await page()).html).toContain('data-theme="light"');
  });

  test("is compressed for clients that accept it", async () => {
    const headers = { "accept-encoding": "gzip, br" };
    for (const url of ["/api", "/api/openapi.json"]) {
      const answer = await app.inject({ url, headers });
      expect(answer.headers["content-encoding"]).toBe("br");
      expect(answer.headers.vary).toContain("Accept-Encoding");
    }
  });
});
