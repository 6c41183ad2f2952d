import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { refuse } from "#shared/errors.ts";
import { action } from "#app/calls/import.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";

const running = () => Promise.reject(refuse("import-running"));

/** The answer, and how often the body was read. */
async function bring(refused: Partial<PageContext>) {
  const context = new RouterContextProvider();
  const readForm = vi.fn<PageContext["readForm"]>();
  context.set(appContext, { ...refused, readForm } as PageContext);
  const request = new Request("http://localhost/calls/import", { method: "POST" });
  const given = { request, context, params: {}, url: new URL(request.url), pattern: "" };
  const answer = await action(given as unknown as Parameters<typeof action>[0]);
  return { status: answer.status, read: readForm.mock.calls.length };
}

test("an archive from a visitor, or while another one is being read, is refused unread", async () => {
  const features = { imports: { checkMayStart: running } } as unknown as PageContext["features"];
  expect(await bring({ viewer: null, features })).toEqual({ status: 401, read: 0 });
  const viewer = { id: "ada" } as PageContext["viewer"];
  expect(await bring({ viewer, features })).toEqual({ status: 409, read: 0 });
});
