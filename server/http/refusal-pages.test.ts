import type { ServerBuild } from "react-router";
import { beforeEach, expect, test } from "vitest";
import { withRefusalPages } from "#server/http/refusal-pages.ts";
import { checkOutages, watchOutages } from "#server/platform/outages.ts";
import { refuse } from "#shared/errors.ts";

// An outage is logged when it begins, by the server of this process: another file's server may still be open,
// with an outage that isn't over.
beforeEach(async () => {
  const log = { error: () => undefined, warn: () => undefined };
  watchOutages({ log, isOver: async () => true })();
  for (const later of [0, 60_000]) {
    await checkOutages({ log, isOver: async () => true }, () => Date.now() + later);
  }
});

type Loader = () => Promise<unknown>;

/** What a screen's loader throws, once the server has the build. */
async function thrownBy(
  loader: () => unknown,
  report: (error: unknown) => void = () => undefined,
): Promise<unknown> {
  const build = { routes: { screen: { id: "screen", module: { loader } } } };
  const { routes } = withRefusalPages(
    build as unknown as ServerBuild,
    report,
    (sentence) => sentence,
  );
  const wrapped = routes["screen"]?.module.loader as unknown as Loader;
  return wrapped().then(
    () => "nothing",
    (error: unknown) => error,
  );
}

test("a refusal that a screen lets through becomes the page of its status", async () => {
  const thrown = await thrownBy(() => {
    throw refuse("too-many-attempts", { retryAfter: 60 });
  });
  expect(thrown).toMatchObject({
    data: { code: "too-many-attempts", message: refuse("too-many-attempts").message },
    init: { status: 429 },
  });
  const { init } = thrown as { init: { headers: Headers } };
  expect(init.headers.get("Retry-After")).toBe("60");
});

test("a database that went away becomes a page with its status, and is logged", async () => {
  const gone = new Error("Connection terminated unexpectedly");
  const reported: unknown[] = [];
  const thrown = await thrownBy(
    () => Promise.reject(gone),
    (error) => reported.push(error),
  );
  expect(thrown).toMatchObject({ data: { code: "not-ready" }, init: { status: 503 } });
  const { init } = thrown as { init: { headers: Headers } };
  expect(init.headers.get("Retry-After")).toBe("2");
  expect(reported).toEqual([gone]);
});

test("redirects and unexpected errors pass as they are", async () => {
  const redirect = new Response(null, { status: 302, headers: { Location: "/" } });
  expect(await thrownBy(() => Promise.reject(redirect))).toBe(redirect);
  const surprise = new TypeError("surprise");
  expect(await thrownBy(() => Promise.reject(surprise))).toBe(surprise);
});

test("a page says when to come again, beside its own headers", () => {
  const module = { headers: () => ({ "Cache-Control": "public" }) };
  const build = { routes: { screen: { id: "screen", module } } };
  const { routes } = withRefusalPages(
    build as unknown as ServerBuild,
    () => undefined,
    (sentence) => sentence,
  );
  const said = routes["screen"]?.module.headers as (args: object) => Headers;
  const actionHeaders = new Headers({ "Retry-After": "60" });
  const answer = said({ actionHeaders, parentHeaders: new Headers() });
  expect(Object.fromEntries(answer)).toEqual({ "cache-control": "public", "retry-after": "60" });
});
