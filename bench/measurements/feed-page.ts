import { compareCpu, type Contender } from "../cpu.ts";
import type { Installation } from "../installation.ts";
import { asBrowser, type Member } from "../product.ts";
import { startControl, type MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

/**
 * The home page of a member compared with React's own render of the same tree, with its data in memory, to a
 * stream. Postcard also looks up the session, reads the feed, runs the loaders, writes their data for the
 * browser, sets its headers and writes its log.
 */
export async function feedPage(
  installation: Installation,
  { cookie }: Member,
  postcard: MeasuredServer,
): Promise<Figure[]> {
  const { databaseUrl, dataDir, databaseCpu } = installation;
  const bare = await startControl("bare-page", { databaseUrl, dataDir, cookie });
  try {
    const page = (headers: Record<string, string>): Contender => ({
      server: postcard,
      path: "/",
      headers: { ...asBrowser(cookie), ...headers },
    });
    const control: Contender = { server: bare, path: "/", headers: {} };
    const effort = { count: 200, rate: 40, rounds: 5, databaseCpu };
    const plain = page({ "accept-encoding": "identity" });
    const [measured, least] = await compareCpu(plain, control, effort);
    const [small] = await compareCpu(page({}), control, { ...effort, rounds: 3 });
    const ratio = measured.cpu / least.cpu;
    return [
      {
        what: "Feed page against React's own render of it: CPU of the server",
        value:
          `${ratio.toFixed(2)} × (${ms(measured.cpu)} against ${ms(least.cpu)}, ` +
          `${kb(measured.bytes)} against ${kb(least.bytes)}); ` +
          `with the database, which the control does not ask, ${ms(measured.withDatabase)}`,
        goal: "≤ 1.3 ×",
        met: ratio <= 1.3,
      },
      {
        what: "Feed page, compressed as browsers ask for it: CPU",
        value: `${ms(small.cpu)}, with the database ${ms(small.withDatabase)}; ${kb(small.bytes)}`,
        goal: "",
        met: null,
      },
      {
        what: `Feed page at ${effort.rate} requests a second: latency`,
        value: `p50 ${measured.p50} ms, p99 ${measured.p99} ms (React alone ${least.p50} and ${least.p99})`,
        goal: "",
        met: null,
      },
    ];
  } finally {
    await bare.stop();
  }
}

const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;

const kb = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
