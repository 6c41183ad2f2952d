import { subscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { beforeAll, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { mediaForm } from "#server/test/media-form.ts";
import { findCostliest, characters, type Send } from "#server/test/worst-characters.ts";

/* Like server/api/worst-characters.cost.test.ts, for the parameters of apps. */
type Declared = { method: string; url: string };
const declared: Declared[] = [];
subscribe("fastify.initialization", (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook("onRoute", ({ method, url, config }) => {
    if (config?.appAccess && method !== "GET") declared.push({ method: String(method), url });
  });
});

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let headers: { authorization: string };
let ids: Record<string, string>;
/** The other parameters that calls need so that the text is read. */
let beside: Record<string, string>;

beforeAll(async () => {
  const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  headers = (await connectedApp(features, ada)).headers;
  const { payload, headers: form } = await mediaForm((await features.photo()).path, {});
  const sent = { payload, headers: { ...headers, ...form } };
  const media = await app.inject({ method: "POST", url: "/api/v2/media", ...sent });
  ids = {
    accounts: decimalOf(bob.id),
    statuses: decimalOf((await features.textPost(ada, "Low tide")).postId),
    media: media.json<{ id: string }>().id,
  };
  const kite = { client_name: "Kite", redirect_uris: "https://kite.example/" };
  const registered = await app.inject({ method: "POST", url: "/api/v1/apps", payload: kite });
  const { client_id = "", client_secret = "" } = registered.json<Record<string, string>>();
  beside = {
    ...kite,
    client_id,
    client_secret,
    grant_type: "client_credentials",
    category: "other",
    account_id: ids["accounts"] ?? "",
    agreement: "true",
    username: "kite",
    email: "kite@example.test",
    password: "a kite above the harbour",
  };
});

function asking({ method, url }: Declared, payload: Record<string, string>) {
  const at = url.replaceAll(/(\w+)\/:\w+/g, (_whole, of: string) => `${of}/${ids[of] ?? "1"}`);
  return () => app.inject({ method: method as "POST", url: at, payload, headers });
}

/** Every name that the Mastodon API's sources read, including composed ones. */
const folder = new URL("routes/", import.meta.url);
const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
const read = [
  ...sources.join("\n").matchAll(/\b(?:text|list|flag|count|has|under)\(\s*"([^"]+)"/g),
];
const composed = [
  "fields_attributes[0][name]",
  "fields_attributes[0][value]",
  "source[privacy]",
  "media_attributes[][id]",
  "media_attributes[][description]",
  "media_attributes[][focus]",
  "subscription[keys][p256dh]",
  "subscription[keys][auth]",
  "data[alerts][mention]",
  "poll[options][]",
  "home[last_read_id]",
];
const names = [...new Set([...read.map(([, name = ""]) => name), ...composed])];

test("the worst characters in all parameters of a call cost no more than any others", async () => {
  expect(names.length).toBeGreaterThan(60);
  expect(declared.length).toBeGreaterThan(40);
  const dear: string[] = [];
  for (const call of declared) {
    for (const size of [200_000, 400_000]) {
      const send: Send = (text) => {
        const part = text(Math.floor(size / names.length));
        return asking(call, Object.fromEntries(names.map((name) => [name, part])));
      };
      dear.push(...(await findCostliest(`${call.method} ${call.url}, ${size}`, send)));
    }
  }
  expect(dear).toEqual([]);
});

/** Texts that are parsed, nearly as long as allowed. */
const lookedInto: [call: string, parameters: Record<string, number>][] = [
  [
    "PATCH /api/v1/accounts/update_credentials",
    { note: 31_000, display_name: 5900, "fields_attributes[0][value]": 5900 },
  ],
  ["POST /api/v1/accounts", { username: 5900, email: 5900, password: 5900 }],
  ["POST /api/v1/apps", { client_name: 5900, website: 5900, redirect_uris: 5900, scopes: 5900 }],
  ["POST /api/v1/push/subscription", { "subscription[endpoint]": 5900 }],
  ["POST /api/v1/reports", { comment: 31_000 }],
  ["POST /api/v1/statuses", { status: 95_000 }],
  ["PUT /api/v1/media/:id", { focus: 5900, description: 31_000 }],
  ["PUT /api/v1/statuses/:id", { status: 95_000 }],
  ["POST /oauth/token", { client_id: 5900, client_secret: 5900, scope: 5900 }],
];

test.each(lookedInto)("nor does one after another in %s", async (name, parameters) => {
  const call = declared.find(({ method, url }) => `${method} ${url}` === name);
  if (!call) throw new Error("There is no such call");
  const dear: string[] = [];
  for (const [parameter, length] of Object.entries(parameters)) {
    const send: Send = (text) => asking(call, { ...beside, [parameter]: text(length) });
    const each = characters.map((character) => [character]);
    dear.push(...(await findCostliest(parameter, send, each)));
  }
  expect(dear).toEqual([]);
});
