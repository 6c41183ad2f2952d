import { subscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { mediaIdOf } from "#server/mastodon/entities/media.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { openPushService } from "#server/test/push-service.ts";
import * as shapes from "#server/test/mastodon-shapes.ts";

/*
 * The answer of every read call, with data in each of them, compared with our own shapes; and with a
 * third-party description of the API (an OpenAPI 3.1 document), if MASTODON_SCHEMA names one.
 */
const reads: { url: string }[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config }) => {
    if (method === "GET" && config?.appAccess && url.startsWith("/api/")) reads.push({ url });
  });
});

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let headers: { authorization: string };
const ids = { account: "", post: "", comment: "", media: "", filter: "", group: "" };

type Answer = { at: string; shape: z.ZodType; some?: boolean };
const { account, status, empty } = shapes;
const many = (shape: z.ZodType) => z.array(shape);

/** The query of each call, and the shape of its answer; `some`: the data has at least one of them. */
const answers = (): Record<string, Answer> => ({
  "/api/v2/instance": { at: "", shape: shapes.instanceV2 },
  "/api/v1/instance": { at: "", shape: shapes.instanceV1 },
  "/api/v1/instance/rules": { at: "", shape: many(shapes.rule), some: true },
  "/api/v1/accounts/verify_credentials": { at: "", shape: shapes.ownAccount },
  "/api/v1/accounts/lookup": { at: `?acct=${ids.group}`, shape: account },
  "/api/v1/accounts/search": { at: "?q=bob", shape: many(account), some: true },
  "/api/v1/accounts/relationships": {
    at: `?id[]=${ids.account}`,
    shape: many(shapes.relationship),
    some: true,
  },
  "/api/v1/accounts/familiar_followers": {
    at: `?id[]=${ids.account}`,
    shape: many(z.object({ id: z.string(), accounts: many(account) })),
    some: true,
  },
  "/api/v1/accounts": { at: `?id[]=${ids.account}`, shape: many(account), some: true },
  "/api/v1/accounts/:id": { at: "", shape: account },
  "/api/v1/accounts/:id/statuses": { at: "", shape: many(status), some: true },
  "/api/v1/accounts/:id/followers": { at: "", shape: many(account), some: true },
  "/api/v1/accounts/:id/following": { at: "", shape: many(account), some: true },
  "/api/v1/blocks": { at: "", shape: many(account), some: true },
  "/api/v1/mutes": { at: "", shape: many(shapes.mutedAccount), some: true },
  "/api/v1/timelines/home": { at: "", shape: many(status), some: true },
  "/api/v1/timelines/public": { at: "", shape: many(status) },
  "/api/v1/timelines/tag/:tag": { at: "", shape: many(status), some: true },
  "/api/v1/bookmarks": { at: "", shape: many(status), some: true },
  "/api/v1/favourites": { at: "", shape: many(status), some: true },
  "/api/v1/statuses": {
    at: `?id[]=${ids.post}&id[]=${ids.comment}`,
    shape: many(status),
    some: true,
  },
  "/api/v1/statuses/:id": { at: "", shape: status },
  "/api/v1/statuses/:id/context": { at: "", shape: shapes.context },
  "/api/v1/statuses/:id/source": { at: "", shape: shapes.source },
  "/api/v1/statuses/:id/history": { at: "", shape: many(shapes.version), some: true },
  "/api/v1/statuses/:id/favourited_by": { at: "", shape: many(account), some: true },
  "/api/v1/media/:id": { at: "", shape: shapes.media },
  "/api/v1/follow_requests": { at: "", shape: many(account), some: true },
  "/api/v1/notifications": { at: "", shape: many(shapes.notification), some: true },
  "/api/v1/notifications/:id": { at: "", shape: shapes.notification },
  "/api/v2/notifications": { at: "", shape: shapes.grouped },
  "/api/v2/notifications/:group_key": { at: "", shape: shapes.grouped },
  "/api/v2/notifications/:group_key/accounts": { at: "", shape: many(account), some: true },
  "/api/v2/search": { at: "?q=bob", shape: shapes.found },
  "/api/v1/suggestions": { at: "", shape: many(account) },
  "/api/v2/suggestions": { at: "", shape: many(z.object({ source: z.string(), account })) },
  "/api/v1/markers": {
    at: "?timeline[]=home",
    shape: z.object({ home: shapes.marker }),
  },
  "/api/v1/tags/:name": { at: "", shape: shapes.tag },
  "/api/v1/filters": { at: "", shape: many(shapes.firstFilter), some: true },
  "/api/v1/filters/:id": { at: "", shape: shapes.firstFilter },
  "/api/v2/filters": { at: "", shape: many(shapes.filter), some: true },
  "/api/v2/filters/:id": { at: "", shape: shapes.filter },
  "/api/v2/filters/:id/keywords": { at: "", shape: many(shapes.filterKeyword), some: true },
  "/api/v2/filters/keywords/:id": { at: "", shape: shapes.filterKeyword },
  "/api/v1/push/subscription": { at: "", shape: shapes.pushSubscription },
  "/api/v1/instance/languages": {
    at: "",
    shape: many(z.object({ code: z.string(), name: z.string() })),
    some: true,
  },
});

/** Answers that only say that there is nothing, or give a few plain values. */
const plain = new Set([
  "/api/v1/apps/verify_credentials",
  "/api/v1/preferences",
  "/api/v1/notifications/policy",
  "/api/v2/notifications/policy",
  "/api/v1/notifications/unread_count",
  "/api/v2/notifications/unread_count",
  "/api/v1/instance/translation_languages",
  "/api/v1/instance/extended_description",
  "/api/v1/notifications/requests/merged",
  "/api/v1/statuses/:id/card",
  "/api/v1/accounts/:id/collections",
  "/api/v1/accounts/:id/in_collections",
  "/api/v1/annual_reports",
  "/api/v1/annual_reports/:year/state",
  "/api/v1/profile",
]);

/**
 * The description differs from Mastodon: it has one filter where Mastodon's own documentation has a list of
 * them; an id as text where Mastodon and its examples have a number, which apps rely on; and always a time,
 * which Mastodon leaves out where nothing was written.
 */
const mistaken = new Set([
  "/api/v1/filters",
  "/api/v1/push/subscription",
  "/api/v1/instance/extended_description",
]);

beforeAll(async () => {
  const ada = await features.member("Ada Lovelace");
  const [bob, cleo, dan] = await Promise.all(
    ["Bob Birch", "Cleo Cassidy", "Dan Dale"].map((name) => features.member(name)),
  );
  if (!bob || !cleo || !dan) throw new Error("nobody");
  headers = (await connectedApp(features, ada)).headers;
  await features.follows.follow(ada, bob.id);
  await features.follows.follow(bob, ada.id);
  await features.privacy.set(ada, true);
  await features.follows.follow(await features.member("Eve Asks"), ada.id);
  await features.blocks.block(ada, cleo.id);
  await features.blocks.mute(ada, dan.id);
  const post = await features.photoPost(bob, `Low tide @${ada.username} #harbour`, ["Boats", ""]);
  const own = await features.textPost(ada, "Words");
  const comment = await features.comments.add(ada, post, "Lovely", null);
  for (const [who, what] of [
    [ada, post],
    [bob, own],
  ] as const) {
    await features.likes.like(who, what);
    await features.bookmarks.save(who, what);
  }
  await features.comments.add(bob, own, "Words indeed", null);
  await features.relations.mark(ada, "home", decimalOf(post.postId));
  const { endpoint, p256dh, auth } = (await openPushService()).browser().address;
  const subscribed = await app.inject({
    method: "POST",
    url: "/api/v1/push/subscription",
    headers,
    payload: {
      subscription: { endpoint, keys: { p256dh, auth } },
      data: { alerts: { mention: true } },
    },
  });
  expect(subscribed.statusCode).toBe(200);
  await features.mutedWords.mute(ada, "drums");
  ids.filter = (await features.wordFilters.list(ada))[0]?.id ?? "";
  ids.account = decimalOf(bob.id);
  ids.group = bob.username;
  ids.post = decimalOf(post.postId);
  ids.comment = decimalOf(comment.id);
  const { picture } = await features.images.upload(ada, await features.photo());
  ids.media = mediaIdOf(picture);
});

const get = async (url: string) => {
  const answer = await app.inject({ url, headers });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer.json<unknown>();
};

const schemaAt = process.env["MASTODON_SCHEMA"] ?? "";
const compared = existsSync(schemaAt) ? schemaComparison(schemaAt) : null;
let looked = 0;
afterAll(() => {
  const said = compared ? `${looked} answers were compared with` : "no answer was compared with";
  console.log(`${said} a description of the Mastodon API that others wrote`);
});

test("every answer has the shape that apps read", async () => {
  const [first] = z
    .array(z.object({ id: z.string() }))
    .parse(await get("/api/v1/notifications?types[]=favourite"));
  const { notification_groups: groups } = shapes.grouped.parse(await get("/api/v2/notifications"));
  const known = answers();
  const problems: string[] = [];
  for (const { url } of reads) {
    if (url.includes("*") || url.startsWith("/api/v1/streaming")) continue;
    // No post is in a filter.
    if (url === "/api/v2/filters/statuses/:id") continue;
    const { at, shape, some } = known[url] ?? {
      at: "",
      shape: plain.has(url) ? z.object() : empty,
    };
    const id = url.includes("/accounts/")
      ? ids.account
      : url.includes("/media/")
        ? ids.media
        : url.includes("/notifications/")
          ? (first?.id ?? "")
          : url.includes("/filters/")
            ? ids.filter
            : ids.post;
    const path = url
      .replace(":id", id)
      .replace(":group_key", groups[0]?.group_key ?? "")
      .replace(":tag", "harbour")
      .replace(":name", "harbour");
    const answer = await get(path + at);
    const { error } = shape.safeParse(answer);
    if (error) problems.push(`${url}: ${z.prettifyError(error)}`);
    if (some) expect(answer, url).not.toEqual([]);
    const other = mistaken.has(url) ? undefined : compared?.(url, answer);
    if (other !== undefined) looked += 1;
    if (other) problems.push(`${url}, as others describe it: ${other}`);
  }
  expect(problems).toEqual([]);
  expect(reads.length).toBeGreaterThan(50);
});

test("a comment is a status as posts are", async () => {
  const { error } = status.safeParse(await get(`/api/v1/statuses/${ids.comment}`));
  expect(error && z.prettifyError(error)).toBeUndefined();
});

/** What is wrong with an answer; null: nothing, undefined: it is not described. */
function schemaComparison(path: string) {
  const document = JSON.parse(readFileSync(path, "utf8")) as {
    paths: Record<string, { get?: { responses: Record<string, unknown> } }>;
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, "mastodon");
  return (url: string, answer: unknown): string | null | undefined => {
    const described = url.replace(/:(\w+)/g, "{$1}");
    if (!document.paths[described]?.get?.responses["200"]) return undefined;
    const at = described.replaceAll("~", "~0").replaceAll("/", "~1");
    const pointer = `mastodon#/paths/${encodeURIComponent(at)}/get/responses/200/content/application~1json/schema`;
    const check = ajv.getSchema(pointer);
    if (!check) return undefined;
    if (check(answer)) return null;
    const first = (check.errors ?? []).slice(0, 3);
    return first.map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
  };
}
