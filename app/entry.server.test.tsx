import { lazy, Suspense, type ReactNode } from "react";
import {
  createRequestHandler,
  Outlet,
  Scripts,
  useLoaderData,
  type ServerBuild,
} from "react-router";
import { afterEach, expect, test } from "vitest";
import * as entry from "#app/entry.server.tsx";
import type { PageContext } from "#app/lib/context.server.ts";

const reported: unknown[] = [];
entry.errorSink.report = (error) => reported.push(error);
afterEach(() => {
  reported.length = 0;
});

const loader = () => ({ words: "from the loader" });

function documentOf(Page: () => ReactNode) {
  return () => (
    <html lang="en">
      <body>
        <Page />
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}

/** Answers a request with a document around one component, as the built screens do. */
async function answer(Page: () => ReactNode, method = "GET"): Promise<entry.PageAnswer> {
  const root = { id: "root", path: "" };
  const flags = { hasAction: false, hasClientAction: false, hasClientLoader: false };
  const moreFlags = { hasClientMiddleware: false, hasDefaultExport: true, hasErrorBoundary: false };
  const build = {
    entry: { module: entry },
    routes: { root: { ...root, module: { default: documentOf(Page), loader } } },
    assets: {
      entry: { module: "/entry.js", imports: [] },
      routes: { root: { ...root, ...flags, ...moreFlags, hasLoader: true, module: "/root.js" } },
      url: "/manifest.js",
      version: "1",
    },
    routeDiscovery: { mode: "initial" },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    basename: "/",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
  } as unknown as ServerBuild;
  const context = entry.provideContext({ nonce: "anynonce" } as PageContext);
  const request = new Request("http://localhost:3000/", { method });
  return createRequestHandler(build, "production")(request, context);
}

const Words = () => <p>{(useLoaderData() as { words: string }).words}</p>;

test("a page is rendered whole, with its data for the browser at its end", async () => {
  const { status, headers, html = "" } = await answer(Words);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(html).toMatch(/^<!DOCTYPE html><html/);
  expect(html).toContain("<p>from the loader</p>");
  expect(html).toMatch(/<script nonce="anynonce">[^<]*streamController\.enqueue\([^<]*from the/);
  expect(html).toContain("streamController.close()");
});

test("scripts are requested after the visible page, and nobody's words are taken for one", async () => {
  const link = '<link rel="modulepreload" href="/a.js">';
  const { html = "" } = await answer(() => (
    <>
      <link rel="modulepreload" href="/assets/part.js" />
      <p>{link}</p>
    </>
  ));
  expect(html).toContain('<link rel="later" fetchpriority="low" href="/assets/part.js"/>');
  expect(html).not.toContain('type="module"');
  expect(html).toMatch(/<script nonce="anynonce" type="later">[^<]*import\("\/entry\.js"\)/);
  expect(html).toMatch(/<script nonce="anynonce">\([^<]*link\[rel=later\][^<]*<\/script><\/body>/);
  expect(html).toContain("&lt;link rel=&quot;modulepreload&quot; href=&quot;/a.js&quot;&gt;");
});

test("what looks like React's own mark in people's words is shown as words", async () => {
  const { html = "" } = await answer(() => <p>{"<!--$!--> & <b>"}</p>);
  expect(html).toContain("<p>&lt;!--$!--&gt; &amp; &lt;b&gt;</p>");
});

test("a part that comes later is awaited, and is in its place without scripts", async () => {
  const long = "words ".repeat(4000);
  const Later = lazy(async () => ({ default: () => <p title={long}>here at last</p> }));
  const { status, html = "" } = await answer(() => (
    <main>
      <p>{long}</p>
      <Suspense fallback={<p>not yet</p>}>
        <Later />
      </Suspense>
    </main>
  ));
  expect(html.indexOf("here at last")).toBeLessThan(html.indexOf("</main>"));
  expect(status).toBe(200);
  expect(html).toMatch(/^<!DOCTYPE html><html/);
  expect(html).toContain("here at last</p>");
  expect(html).not.toContain("not yet");
  expect(html).toContain("streamController.close()");
  expect(reported).toEqual([]);
});

test("a part that fails is logged, and the page's status says so", async () => {
  const broken = new Error("a part broke");
  const Broken = (): ReactNode => {
    throw broken;
  };
  const { status, html = "" } = await answer(() => (
    <Suspense fallback={<p>without it</p>}>
      <Broken />
    </Suspense>
  ));
  expect(status).toBe(500);
  expect(html).toContain("without it");
  expect(reported).toContain(broken);
});
