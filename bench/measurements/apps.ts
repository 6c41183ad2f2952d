import { createHash, randomBytes } from "node:crypto";
import { compareCpu, type Contender } from "../cpu.ts";
import type { Installation } from "../installation.ts";
import type { Member, Product } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

/** Compared with GET /api/feed: what an app's home timeline may cost. */
const most = 1.5;

/**
 * The home timeline of the Mastodon client API, 20 statuses with their photos, compared with our own feed.
 */
export async function appTimeline(
  { databaseCpu }: Installation,
  { features: { apps } }: Product,
  { viewer, cookie }: Member,
  postcard: MeasuredServer,
): Promise<Figure[]> {
  const redirectUri = "https://app.example/back";
  const typed = { name: "Bench", website: "", redirectUris: [redirectUri], scopes: "read" };
  const app = await apps.register(typed, "bench");
  const verifier = randomBytes(32).toString("base64url");
  const code = await apps.allow(viewer, {
    clientId: app.clientId,
    redirectUri,
    scope: "read",
    responseType: "code",
    challenge: createHash("sha256").update(verifier).digest("base64url"),
    challengeMethod: "S256",
  });
  const { token } = await apps.exchange(app, { code, redirectUri, verifier });
  const home: Contender = {
    server: postcard,
    path: "/api/v1/timelines/home?limit=20",
    headers: { authorization: `Bearer ${token}` },
  };
  const feed: Contender = { server: postcard, path: "/api/feed", headers: { cookie } };
  const [ours, own] = await compareCpu(home, feed, {
    count: 400,
    rate: 60,
    rounds: 5,
    databaseCpu,
  });
  const [server, both] = [ours.cpu / own.cpu, ours.withDatabase / own.withDatabase];
  return [
    {
      what: "Home timeline of an app, 20 posts with their photos, against GET /api/feed: CPU of a request",
      value:
        `server alone ${server.toFixed(2)} × (${us(ours.cpu)} against ${us(own.cpu)}), ` +
        `with the database ${both.toFixed(2)} × (${us(ours.withDatabase)} against ${us(own.withDatabase)})`,
      goal: `≤ ${most} ×`,
      met: server <= most && !(both > most),
    },
  ];
}

const us = (microseconds: number) => `${Math.round(microseconds)} µs`;
