import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { mediaIdOf } from "#server/mastodon/entities/media.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp, redirectUri } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { openPushService } from "#server/test/push-service.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * What each app's own declarations make of our answers. app-fields.json says by app where they were read
 * (repository@commit, folder), which declaration reads which answer, and each of them as `name:type`, `name?:type`
 * where the app takes a missing field and null, `name~:type` where it takes a missing one but not null. A type is
 * one of `kinds`, a choice of values `a|b`, `[type]`, `{type}` by any name, or another declaration. `none` is what
 * Postcard never answers: there are no boosts, polls, emojis and the like.
 */
const apps = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(readFileSync(new URL("app-fields.json", import.meta.url), "utf8")));

const number = z.number();
const kinds: Record<string, z.ZodType> = {
  text: z.string(),
  bool: z.boolean(),
  /** ids of groups of notifications have more digits than a number of JavaScript keeps */
  int: number.refine(Number.isInteger),
  number,
  /** a number, or one written as text, which readers of JSON on Android take too */
  digits: z.union([number, z.string().regex(/^\d+$/)]),
  time: z.iso.datetime({ precision: 3 }),
  date: z.iso.date(),
  /** an empty one is none to Foundation's URL */
  url: z.url(),
  none: z.never(),
};

type Declarations = Record<string, string>;
type Reading = { types: Declarations; unread: Set<string>; problems: string[] };

function read(reading: Reading, type: string, value: unknown, at: string): void {
  const { types, unread, problems } = reading;
  const inner = type.slice(1, -1);
  const declared = types[type];
  if (type.startsWith("[")) {
    if (!Array.isArray(value)) problems.push(`${at} is no list`);
    else for (const [index, item] of value.entries()) read(reading, inner, item, `${at}[${index}]`);
  } else if (typeof value !== "object" || value === null || (!declared && !type.startsWith("{"))) {
    const kind = type.includes("|") ? z.enum(type.split("|")) : kinds[type];
    if (!kind?.safeParse(value).success) problems.push(`${at} is ${String(value)}, not ${type}`);
  } else if (declared) {
    unread.delete(type);
    for (const field of declared.split(" ")) readField(reading, field, value, at);
  } else {
    for (const [name, item] of Object.entries(value)) read(reading, inner, item, `${at}.${name}`);
  }
}

function readField(reading: Reading, field: string, value: object, at: string): void {
  const [, name = "", may, type = ""] = /^(.+?)([?~]?):([^:]+)$/.exec(field) ?? [];
  const own = (value as Record<string, unknown>)[name];
  if (own === undefined ? may !== "" : own === null && may === "?") return;
  read(reading, type, own, `${at}.${name}`);
}

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
const answers: Record<string, unknown> = {};
let headers: { authorization: string };
let ada: Viewer;

async function ask(name: string, url: string, payload?: object, method = payload ? "POST" : "GET") {
  const answer = await app.inject({
    method: method as "GET",
    url,
    headers,
    ...(payload && { payload }),
  });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  answers[name] = answer.json();
  return answers[name];
}

/** Everything that somebody may meet in their first hours, so that no list is empty and no choice missing. */
async function livedIn() {
  ada = await features.member("Ada Lovelace");
  const [bob, dan] = [await features.member("Bob Birch"), await features.member("Dan Dale")];
  headers = (await connectedApp(features, ada)).headers;
  for (const one of [bob, dan]) await features.follows.follow(one, ada.id);
  await features.follows.follow(ada, bob.id);
  await features.follows.follow(bob, dan.id);
  await features.privacy.set(ada, true);
  await features.follows.follow(await features.member("Eve Asks"), ada.id);
  await features.blocks.mute(ada, dan.id);
  const post = await features.photoPost(bob, `Low tide @${ada.username} #harbour`, ["Boats", ""]);
  const own = await features.textPost(ada, "Words");
  await features.likes.like(bob, own);
  const comment = await features.comments.add(bob, own, "Words indeed", null);
  await features.textPost(await features.member("Sue Suggested"));
  await features.mutedWords.mute(ada, "drums");
  await features.relations.mark(ada, "home", decimalOf(post.postId));
  await features.relations.mark(ada, "notifications", decimalOf(comment.id));
  return { post: decimalOf(post.postId), comment: decimalOf(comment.id), own, bob: bob.id };
}

async function askAll({ post, comment, own, bob }: Awaited<ReturnType<typeof livedIn>>) {
  const [v1, id] = ["/api/v1", decimalOf(bob)];
  await ask("own", `${v1}/accounts/update_credentials`, fields, "PATCH");
  const mine = `${v1}/statuses/${decimalOf(own.postId)}`;
  await ask("edited", mine, { status: "Other words" }, "PUT");
  await ask("status", `${v1}/statuses/${post}`);
  await ask("comment", `${v1}/statuses/${comment}`);
  await ask("home", `${v1}/timelines/home`);
  await ask("context", `${v1}/statuses/${comment}/context`);
  await ask("history", `${mine}/history`);
  await ask("source", `${v1}/statuses/${comment}/source`);
  await ask("account", `${v1}/accounts/${decimalOf(ada.id)}`);
  await ask("profile", `${v1}/profile`);
  await ask("relationships", `${v1}/accounts/relationships?id[]=${id}`);
  await ask("people", `${v1}/mutes`);
  await ask("familiar", `${v1}/accounts/familiar_followers?id[]=${id}`);
  await ask("notifications", `${v1}/notifications`);
  await ask("grouped", "/api/v2/notifications");
  await ask("search", "/api/v2/search?q=harbour");
  await ask("instance1", `${v1}/instance`);
  await ask("instance2", "/api/v2/instance");
  await ask("nodeinfo", "/nodeinfo/2.0");
  await ask("filters1", `${v1}/filters`);
  await ask("filters2", "/api/v2/filters");
  await ask("markers", `${v1}/markers?timeline[]=home&timeline[]=notifications`);
  await ask("policy1", `${v1}/notifications/policy`);
  await ask("policy2", "/api/v2/notifications/policy");
  await ask("preferences", `${v1}/preferences`);
  await ask("tag", `${v1}/tags/harbour`);
  await ask("suggested", `${v1}/suggestions`);
  await ask("suggestions", "/api/v2/suggestions");
  await ask("report", `${v1}/reports`, { account_id: id });
  const { picture } = await features.images.upload(ada, await features.photo());
  await ask("uploaded", `${v1}/media/${mediaIdOf(picture)}`);
  const { endpoint, p256dh, auth } = (await openPushService()).browser().address;
  await ask("push", `${v1}/push/subscription`, {
    subscription: { endpoint, keys: { p256dh, auth } },
    data: { alerts: { mention: true } },
  });
  const asked = { client_name: "Paper Plane", redirect_uris: redirectUri, scopes: "read" };
  const made = z
    .object({ client_id: z.string(), client_secret: z.string() })
    .parse(await ask("app", `${v1}/apps`, asked));
  await ask("token", "/oauth/token", { ...made, grant_type: "client_credentials" });
  await ask("deleted", mine, {}, "DELETE");
}

const fields = { fields_attributes: [{ name: "Boat", value: "https://boats.example.org" }] };

beforeAll(async () => askAll(await livedIn()));

test("notifications of every kind are among the answers", () => {
  const all = z.array(z.object({ type: z.string() })).parse(answers["notifications"]);
  const types = new Set(all.map(({ type }) => type));
  expect(types).toEqual(new Set(["favourite", "follow", "follow_request", "mention"]));
});

describe("every field that it demands is there and of its type", () => {
  test.each(Object.entries(apps))(
    "%s",
    (_, { source: _source, answers: screens = "", ...types }) => {
      const reading: Reading = { types, unread: new Set(), problems: [] };
      for (const type of Object.keys(types)) reading.unread.add(type);
      for (const screen of screens.split(" ")) {
        const [name = "", type = ""] = screen.split(":");
        if (type.startsWith("[")) expect(answers[name], name).not.toEqual([]);
        read(reading, type, answers[name], name);
      }
      expect(reading.problems).toEqual([]);
      expect([...reading.unread], "declarations that no answer was read with").toEqual([]);
    },
  );
});
