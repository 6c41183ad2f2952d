import { growGraph } from "./graph.ts";
import { startInstallation } from "./installation.ts";
import { openProduct, signInAs } from "./product.ts";
import { startPostcard } from "./servers/measured-server.ts";
import { sendLoad } from "./load.ts";
const installation = await startInstallation();
const graph = await growGraph(installation.connection, { accounts: 2500, seed: 1, viewers: [{ follows: 200, of: "anybody" }] } as never);
const product = openProduct(installation);
const [m] = await signInAs(product, graph.viewers.map(({ id }) => id));
const { viewer, cookie } = m!;
const others = (await product.db.pool.query({ text: `select a.id, a.username from accounts a join posts p on p.author_id=a.id and p.number=1 where a.id<>'${viewer.id}' and not exists (select from follows f where f.follower_id='${viewer.id}' and f.followee_id=a.id) order by a.id limit 20` } as never)).rows as {username:string}[];
const postcard = await startPostcard(installation, { NODE_OPTIONS: process.env.PROF ?? "" });
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
await new Promise((r) => setTimeout(r, 8000));
const idle0 = [await postcard.usage(), installation.databaseCpu()!] as const;
await new Promise((r) => setTimeout(r, 3000));
const idle1 = [await postcard.usage(), installation.databaseCpu()!] as const;
console.log("idle, us a second:", Math.round((idle1[0].cpu - idle0[0].cpu) / 3), Math.round((idle1[1] - idle0[1]) / 3));
for (const kind of (process.env.KINDS ?? "live,feed,like,follow,post").split(",")) {
  const one = kinds[kind]!;
  for (let round = -1; round < 3; round += 1) {
    const before = [await postcard.usage(), installation.databaseCpu()!] as const;
    const headers = kind === "post" ? { cookie, "content-type": "application/json" } : { cookie };
    const r = await sendLoad({ url: postcard.url + "/", headers, rate, count: N, ask: one as never });
    const after = [await postcard.usage(), installation.databaseCpu()!] as const;
    const s = (after[0].cpu - before[0].cpu) / N, d = (after[1] - before[1]) / N;
    if (round >= 0) console.log(kind, "server", Math.round(s), "db", Math.round(d), "both", Math.round(s + d), "failed", r.failed, "p50", r.p50);
  }
}
await postcard.stop();
await product.close();
await installation.stop();
