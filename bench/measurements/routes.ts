import { sendLoad } from "../load.ts";
import { asBrowser, type Member } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";
import type { ScreenPair } from "./round-trips.ts";

const each = { rate: 2, seconds: 60 };

/** How long every screen takes while all of them are requested at the same time. */
export async function routes(
  pairs: readonly ScreenPair[],
  { cookie }: Member,
  { url }: MeasuredServer,
): Promise<Figure[]> {
  const asked = [
    ...pairs.map(({ screen, many }) => ({
      route: screen,
      path: many.path,
      headers: asBrowser(many.member.cookie),
    })),
    { route: "people to follow", path: "/api/suggestions?limit=4", headers: asBrowser(cookie) },
    { route: "front page of a visitor", path: "/", headers: asBrowser("") },
  ];
  const load = (count: number) =>
    Promise.all(
      asked.map(({ path, headers }) =>
        sendLoad({ url: url + path, headers, rate: each.rate, count }),
      ),
    );
  // Warm, then counted.
  await load(each.rate * 5);
  const results = await load(each.rate * each.seconds);
  const together = each.rate * asked.length;
  return results.map(({ p50, p99, failed, refused }, index) => {
    const { route, path } = asked[index] ?? {};
    if (failed > 0) throw new Error(`${failed} requests to ${path} failed.`);
    return {
      what: `Latency of ${route}, all routes at once, ${together} requests a second`,
      value: `p50 ${p50} ms, p99 ${p99} ms${refused > 0 ? `, ${refused} refused` : ""}`,
      goal: "",
      met: null,
    };
  });
}
