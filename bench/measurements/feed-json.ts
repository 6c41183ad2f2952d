import { compareCpu, type Contender } from "../cpu.ts";
import type { Installation } from "../installation.ts";
import type { Member, Product } from "../product.ts";
import { startControl, type MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

/**
 * GET /api/feed of Postcard compared with a bare server that runs the same statements. Postcard also looks up
 * the session, checks the request, sets its headers and writes its log.
 */
export async function feedJson(
  installation: Installation,
  { features, recording }: Product,
  { viewer, cookie }: Member,
  postcard: MeasuredServer,
): Promise<Figure[]> {
  const { statements } = await recording(() => features.feed.home(viewer, null));
  const { databaseUrl, databaseCpu } = installation;
  const bare = await startControl("bare-feed", { databaseUrl, statements });
  try {
    const ours: Contender = { server: postcard, path: "/api/feed", headers: { cookie } };
    const control: Contender = { server: bare, path: "/", headers: {} };
    const effort = { count: 400, rate: 120, rounds: 5, databaseCpu };
    const [measured, least] = await compareCpu(ours, control, effort);
    const ratio = least.cpu / measured.cpu;
    const both = least.withDatabase / measured.withDatabase;
    return [
      {
        what: "GET /api/feed against bare node:http: requests a CPU second",
        value:
          `server alone ${ratio.toFixed(2)} × (${us(measured.cpu)} against ${us(least.cpu)} a request), ` +
          `with the database ${both.toFixed(2)} × (${us(measured.withDatabase)} against ${us(least.withDatabase)})`,
        goal: "≥ 0.5 ×",
        met: ratio >= 0.5,
      },
      {
        what: `GET /api/feed at ${effort.rate} requests a second: latency`,
        value: `p50 ${measured.p50} ms, p99 ${measured.p99} ms (bare ${least.p50} and ${least.p99})`,
        goal: "",
        met: null,
      },
    ];
  } finally {
    await bare.stop();
  }
}

const us = (microseconds: number) => `${Math.round(microseconds)} µs`;
