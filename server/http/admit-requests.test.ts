import fastify, { type FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { addErrorMapper } from "#server/http/errors.ts";
import { admitRequests } from "#server/http/admit-requests.ts";

/** An app whose calls last until they are ended from outside. */
function slowApp() {
  const held: (() => void)[] = [];
  const app: FastifyInstance = fastify();
  addErrorMapper(app);
  admitRequests(app, { isMember: ({ headers }) => headers.cookie !== undefined });
  const last = () => new Promise<string>((resolve) => held.push(() => resolve("done")));
  app.get("/api/slow", last);
  app.get("/calls/slow", last);
  app.get("/*", last);
  app.get("/health/live", async () => "alive");
  return { app, release: () => held.splice(0).forEach((end) => end()), held };
}

test.each([
  ["calls of programs", "/api/slow"],
  ["calls of our own scripts", "/calls/slow"],
])(
  "what costs next to nothing passes, however many wait; %s are refused beyond the bound",
  async (_, url) => {
    const { app, release, held } = slowApp();
    const answers = Array.from({ length: 1200 }, () => app.inject({ url }));
    const page = app.inject({ url: "/", headers: { accept: "text/html", cookie: "a=b" } });
    expect((await app.inject("/health/live")).body).toBe("alive");
    const progress = { ended: 0 };
    const all = Promise.all(
      answers.map(async (answer) => {
        const { statusCode, headers, body } = await answer;
        progress.ended += 1;
        return { statusCode, retryAfter: headers["retry-after"], body };
      }),
    );
    while (progress.ended < 1200) {
      release();
      await app.inject("/health/live");
    }
    const refused = (await all).filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThanOrEqual(100);
    expect(refused.length).toBeLessThanOrEqual(200);
    expect(refused[0]?.retryAfter).toBe("2");
    expect(JSON.parse(refused[0]?.body ?? "")).toMatchObject({ error: { code: "busy" } });
    release();
    expect((await page).statusCode).toBe(200);
    expect(held).toEqual([]);
    await app.close();
  },
);
