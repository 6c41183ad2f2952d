import { growGraph } from "./graph.ts";
import { startInstallation } from "./installation.ts";
import { openProduct, signInAs } from "./product.ts";
import { startPostcard } from "./servers/measured-server.ts";
import { startPostcard as startOld } from "/tmp/cost-old/bench/servers/measured-server.ts";
import { sendLoad } from "./load.ts";
const installation = await startInstallation();
const graph = await growGraph(installation.connection, { accounts: 2500, seed: 1, viewers: [{ follows: 200, of: "anybody" }] } as never);
const product = openProduct(installation);
const [m] = await signInAs(product, graph.viewers.map(({ id }) => id));
const { viewer, cookie } = m!;
const others = (await product.db.pool.query({ text: `select a.id, a.username from accounts a join posts p on p.author_id=a.id and p.number=1 where a.id<>'${viewer.id}' and not exists (select from follows f where f.follower_id='${viewer.id}' and f.followee_id=a.id) order by a.id limit 20` } as never)).rows as {username:string}[];
const u = (i: number) => others[(i >> 1) % 20]!.username;
const kinds: Record<string, (i: number) => { method?: string; path: string; body?: string }> = {
  like: (i) => ({ method: i % 2 ? "DELETE" : "PUT", path: `/api/posts/${u(i)}/1/like` }),
  follow: (i) => ({ method: i % 2 ? "DELETE" : "PUT", path: `/api/accounts/${u(i)}/follow` }),
  post: () => ({ method: "POST", path: "/api/posts", body: JSON.stringify({ caption: "Low tide at noon, and nobody on the pier." }) }),
  feed: () => ({ path: "/api/feed" }),
  live: () => ({ path: "/health/live" }),
  session: () => ({ path: "/api/session" }),
};
const N = Number(process.env.N ?? 300), rate = Number(process.env.RATE ?? 60);
const med=(l:number[])=>Math.round(l.sort((a,b)=>a-b)[l.length>>1]!);
const list = (process.env.KINDS ?? "live,feed,like,follow,post").split(",");
const got: Record<string, number[][][]> = {};
for (let pass = 0; pass < Number(process.env.PASSES ?? 2); pass += 1) for (const [w, start] of [startOld, startPostcard].entries()) {
  const server = await start(installation as never);
  for (const kind of list) {
    const one = kinds[kind]!;
    const out = (got[kind] ??= [[[],[]],[[],[]]]);
    for (let round = -1; round < 2; round += 1) {
    const before = [await server.usage(), installation.databaseCpu()!] as const;
    const headers = kind === "post" ? { cookie, "content-type": "application/json" } : { cookie };
    const r = await sendLoad({ url: server.url + "/", headers, rate, count: N, ask: one as never });
    const after = [await server.usage(), installation.databaseCpu()!] as const;
    if (r.failed) console.log("FAILED", r.failed);
    if (round < 0) continue;
    out[w]![0]!.push((after[0].cpu - before[0].cpu) / N); out[w]![1]!.push((after[1] - before[1]) / N);
    }
  }
  await server.stop();
}
for (const kind of list) { const out = got[kind]!;
  const [a, b, c, d] = [med(out[0]![0]!), med(out[0]![1]!), med(out[1]![0]!), med(out[1]![1]!)];
  console.log(kind, "old server", a, "db", b, "both", a + b, "| new server", c, "db", d, "both", c + d); }
await product.close();
await installation.stop();
