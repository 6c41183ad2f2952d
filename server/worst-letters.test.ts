import { subscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import { cpuUsage } from "node:process";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { decimalOf } from "#server/db/decimal-ids.ts";
import { newId } from "#server/db/ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { freshDatabase } from "#server/test/database.ts";
import { mediaForm } from "#server/test/media-form.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * What a text costs must not depend on its letters: the worst of them in every text parameter of every call that
 * takes a body, beside as many letters a.
 */
const letters = [
  ..."<\"'`&@/#:;=.,-_ \t\n\r0",
  "\u0301\u0323",
  "\u200d",
  "a.",
  "@a",
  "#a",
  " a",
  "https://",
  "👩\u200d",
];
/** How many times the processor time of harmless letters the worst may take. */
const most = 3;

type Send = (text: (length: number) => string) => () => Promise<unknown>;
type Declared = { method: string; url: string; member: boolean; body: z.ZodType | null };

const declared = { calls: [] as Declared[], apps: [] as Declared[] };
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config, schema }) => {
    if (!["POST", "PUT", "PATCH", "DELETE"].includes(String(method))) return;
    const body = (schema?.body ?? null) as z.ZodType | null;
    if (config?.appAccess) {
      const member = config.appAccess.who !== "anybody";
      declared.apps.push({ method: String(method), url, member, body });
    } else if (/^\/(api|v1)\//.test(url) && body) {
      declared.calls.push({ method: String(method), url, member: true, body });
    }
  });
});

const { db } = await freshDatabase();
const { app, features, cookieOf } = await testApp(db);
let ada: Viewer;
let bob: Viewer;
let cookie: string;
let headers: { authorization: string };
let ids: Record<string, string>;

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  const post = await features.textPost(ada, "Low tide");
  cookie = await cookieOf(ada);
  headers = (await connectedApp(features, ada)).headers;
  const { payload, headers: form } = await mediaForm((await features.photo()).path, {});
  const sent = { url: "/api/v2/media", payload, headers: { ...headers, ...form } };
  const media = await app.inject({ method: "POST", ...sent });
  ids = {
    accounts: decimalOf(bob.id),
    statuses: decimalOf(post.postId),
    media: media.json<{ id: string }>().id,
    "/address": ada.username,
    "/email": ada.email,
    "/number": String(post.number),
  };
});

/** An address of what there is. */
const filled = (url: string) =>
  url.replaceAll(/(\w*)\/:(\w+)/g, (_, group: string, name: string) => {
    const known = ids[`/${name}`] ?? (url.startsWith("/api/v1/") ? ids[group] : undefined);
    return `${group}/${known ?? newId()}`;
  });

async function processorMicroseconds(run: () => Promise<unknown>): Promise<number> {
  const before = cpuUsage();
  await run();
  const { user, system } = cpuUsage(before);
  return user + system;
}

const harmless = (length: number) => "a".repeat(length);
/** As long, in parts of one of these letters each. */
const worst = (of: readonly string[]) => (length: number) =>
  of.map((unit) => unit.repeat(length / of.length / unit.length)).join("");
/** Few at once find what takes the square of a text as well: then one after another says which letter does. */
const groups = Array.from({ length: 5 }, (_, at) =>
  letters.filter((_one, index) => index % 5 === at),
);

/** What looks dear is measured again, and again: the machine has noise of its own. */
async function dearest(name: string, send: Send, among: readonly string[][] = groups) {
  const a = send(harmless);
  const usual = await usually(a);
  const dear: string[] = [];
  for (const group of among) {
    const hostile = send(worst(group));
    if ((await processorMicroseconds(hostile)) < most * usual) continue;
    const measure = async () => cpuRatio({ hostile, harmless: a, rounds: 5 });
    const ratios = [await measure()];
    if (ratios.every((ratio) => ratio >= most)) ratios.push(await measure());
    if (ratios.some((ratio) => ratio < most)) continue;
    dear.push(`${name}, ${JSON.stringify(group)}: ${ratios.join(" and ")} times`);
  }
  return dear;
}

async function usually(run: () => Promise<unknown>): Promise<number> {
  await run();
  return Math.min(await processorMicroseconds(run), await processorMicroseconds(run));
}

/** What a body may look like in which every free text is `text`; other fields have a value that passes. */
function bodyOf(schema: z.core.JSONSchema.BaseSchema, text: string): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return bodyOf(first as z.core.JSONSchema.BaseSchema, text);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === "array") return [bodyOf((schema.items ?? {}) as typeof schema, text)];
  if (schema.type === "object") {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, part]) => [
        name,
        bodyOf(part as typeof schema, text),
      ]),
    );
  }
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  if (schema.format === "uuid") return newId();
  return text;
}

const textsIn = (value: unknown, text: string): number =>
  JSON.stringify(value).split(text).length - 1;

describe("the worst letters cost no more than any", () => {
  test("in the bodies of our own and of the documented calls", { timeout: 120_000 }, async () => {
    const calls = declared.calls.flatMap(({ method, url, body }) => {
      const schema = z.toJSONSchema(body as z.ZodType, { io: "input", unrepresentable: "any" });
      const texts = textsIn(bodyOf(schema, "§"), "§");
      return texts === 0 ? [] : [{ method, url, schema, texts }];
    });
    expect(calls.length).toBeGreaterThan(20);
    const dear: string[] = [];
    for (const { method, url, schema, texts } of calls) {
      for (const size of [200_000, 400_000]) {
        const send: Send = (text) => {
          const payload = JSON.stringify(bodyOf(schema, text(Math.floor(size / texts))));
          const asked = { method: method as "POST", url: filled(url), payload };
          const type = { "content-type": "application/json" };
          return () => app.inject({ ...asked, headers: { ...type, cookie } });
        };
        dear.push(...(await dearest(`${method} ${url}, ${size}`, send)));
      }
    }
    expect(dear).toEqual([]);
  });

  /** Every name that the face's sources read, and those it makes of parts. */
  const folder = new URL("mastodon/routes/", import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const read = [
    ...sources.join("\n").matchAll(/\b(?:text|list|flag|count|has|under)\(\s*"([^"]+)"/g),
  ];
  const names = [
    ...new Set(read.map(([, name = ""]) => name)),
    ...["fields_attributes[0][name]", "fields_attributes[0][value]", "source[privacy]"],
    ...["media_attributes[][id]", "media_attributes[][description]", "media_attributes[][focus]"],
    ...["subscription[keys][p256dh]", "subscription[keys][auth]", "data[alerts][mention]"],
    ...["poll[options][]", "home[last_read_id]", "timeline[]"],
  ];
  const toApps = ({ method, url }: Declared, body: Record<string, string>) => {
    const payload = JSON.stringify(body);
    const type = { "content-type": "application/json" };
    const asked = { method: method as "POST", url: filled(url), payload };
    return () => app.inject({ ...asked, headers: { ...type, ...headers } });
  };

  test("in the parameters of apps, all of a call at once", { timeout: 120_000 }, async () => {
    expect(names.length).toBeGreaterThan(60);
    expect(declared.apps.length).toBeGreaterThan(40);
    const dear: string[] = [];
    for (const call of declared.apps) {
      for (const size of [200_000, 400_000]) {
        const send: Send = (text) => {
          const part = text(Math.floor(size / names.length));
          return toApps(call, Object.fromEntries(names.map((name) => [name, part])));
        };
        dear.push(...(await dearest(`${call.method} ${call.url}, ${size}`, send)));
      }
    }
    expect(dear).toEqual([]);
  });

  /** What is looked into, letter by letter: with whatever else the call needs, as long as it may be. */
  const lookedInto: Record<string, Record<string, number>> = {
    "PATCH /api/v1/accounts/update_credentials": {
      note: 31_000,
      display_name: 5900,
      "fields_attributes[0][value]": 5900,
    },
    "POST /api/v1/accounts": { username: 5900, email: 5900, password: 5900 },
    "POST /api/v1/apps": { client_name: 5900, website: 5900, redirect_uris: 5900, scopes: 5900 },
    "POST /api/v1/push/subscription": { "subscription[endpoint]": 5900 },
    "POST /api/v1/reports": { comment: 31_000 },
    "POST /api/v1/statuses": { status: 95_000 },
    "PUT /api/v1/media/:id": { focus: 5900, description: 31_000 },
    "PUT /api/v1/statuses/:id": { status: 95_000 },
    "POST /oauth/token": { client_id: 5900, client_secret: 5900, scope: 5900 },
  };

  test("in the parameters of apps, one after another", { timeout: 120_000 }, async () => {
    const dear: string[] = [];
    const { client_id = "", client_secret = "" } = (
      await app.inject({
        method: "POST",
        url: "/api/v1/apps",
        payload: { client_name: "Kite", redirect_uris: "https://kite.example/" },
      })
    ).json<Record<string, string>>();
    const beside = {
      ...{ category: "other", account_id: ids["accounts"] ?? "", agreement: "true" },
      ...{ grant_type: "client_credentials", client_id, client_secret, client_name: "Kite" },
      ...{ username: "kite", email: "kite@example.test", password: "a kite above the harbour" },
    };
    for (const [name, lengths] of Object.entries(lookedInto)) {
      const call = declared.apps.find(({ method, url }) => `${method} ${url}` === name);
      expect(call, name).toBeDefined();
      for (const [parameter, length] of Object.entries(lengths)) {
        const send: Send = (text) =>
          toApps(call as Declared, { ...beside, [parameter]: text(length) });
        const each = letters.map((letter) => [letter]);
        dear.push(...(await dearest(`${name}, ${parameter}`, send, each)));
      }
    }
    expect(dear).toEqual([]);
  });
});
