import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "#server/platform/db/sql.ts";
import pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import type { Screens } from "#server/screens.ts";
import { costOf } from "#server/test/explain.ts";
import { growGraph, type Graph } from "../graph.ts";
import type { Installation } from "../installation.ts";
import { openProduct, sessionsFor, type Member, type Product, type Statement } from "../product.ts";
import { inFull, type Figure } from "../table.ts";
import { withTemporaryDatabase } from "../temporary-database.ts";
import { feedReads } from "./feed-reads.ts";
import { makeLists } from "./home-lists.ts";
import { openApp } from "./round-trips.ts";

/** How much more a page may read in the larger town. */
export const mostGrowth = 1.5;

export type PageCost = { what: string; buffers: number; statements: StatementCost[] };
type StatementCost = { text: string; buffers: number };

/**
 * What members read in a small town and in a large one: both have the same accounts with the same posts, the
 * large one has more others; the best known grow with the town. Buffers of all statements that a page sends
 * besides the look-up of the session, each planned for its values and for any; the more expensive plan
 * counts.
 */
export async function growthFigures(
  installation: Installation,
  screens: Screens,
  sizes: readonly [few: number, many: number],
  say: (sentence: string) => void,
): Promise<Figure[]> {
  const among = (accounts: number) =>
    withTemporaryDatabase(installation, `grown_${accounts}`, async (db, connection) => {
      const regulars = Math.min(...sizes);
      const graph = await seedDatabase(connection, { accounts, regulars }, say);
      return { graph, costs: await pageCosts(db, connection, screens, graph) };
    });
  const few = await among(sizes[0]);
  const many = await among(sizes[1]);
  const seconds = many.graph.parts.reduce((sum, part) => sum + part.seconds, 0);
  return [
    {
      what: `A town of ${inFull(sizes[1])} accounts, ${inFull(many.graph.rows)} rows: made in`,
      value: `${(seconds / 60).toFixed(1)} min`,
      goal: sizes[1] >= 1_000_000 ? "< 20 min" : "",
      met: sizes[1] >= 1_000_000 ? seconds < 20 * 60 : null,
    },
    ...few.costs.map((small, index) => {
      const large = many.costs[index] ?? small;
      for (const { text, buffers } of large.statements) {
        const before = small.statements.find((each) => each.text === text)?.buffers ?? 0;
        if (buffers <= mostGrowth * before || buffers - before < 10) continue;
        const statement = text.replaceAll(/\s+/g, " ").slice(0, 150);
        say(`    ${large.what}: ${before} → ${buffers} buffers: ${statement}`);
      }
      return growthFigure(small, large, sizes);
    }),
  ];
}

function growthFigure(small: PageCost, large: PageCost, sizes: readonly [number, number]): Figure {
  const ratio = large.buffers / small.buffers;
  return {
    what: `${small.what}, among ${inFull(sizes[1])} accounts against ${inFull(sizes[0])}: buffers`,
    value: `${ratio.toFixed(2)} × (${inFull(large.buffers)} against ${inFull(small.buffers)})`,
    goal: `≤ ${mostGrowth} ×`,
    met: ratio <= mostGrowth,
  };
}

/** A town with stars, notifications, and home lists for some of its accounts. */
export async function seedDatabase(
  connection: pg.ClientConfig,
  { accounts, regulars }: { accounts: number; regulars: number },
  say: (sentence: string) => void = () => {},
): Promise<Graph> {
  const viewers = [
    { follows: 200, of: "anybody" },
    { follows: 200, of: "anybody" },
  ] as const;
  const graph = await growGraph(
    connection,
    { accounts, regulars, stars: 10, viewers },
    ({ what, seconds }) => {
      if (seconds >= 1) say(`    ${what}: ${seconds.toFixed(1)} s`);
    },
  );
  await addNotificationsAndLists(connection, graph);
  return graph;
}

/** Notifications, home lists, and the first viewer's bookmarks: a graph has none. */
async function addNotificationsAndLists(
  connection: pg.ClientConfig,
  graph: Pick<Graph, "viewers">,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("set statement_timeout = 0");
    // The rows that these point to exist; checking each key would take most of the time.
    await client.query("set session_replication_role = replica");
    for (const statement of [
      // everybody was notified of likes and comments of their newest post; some of followers, among them
      // those the first viewer follows
      `insert into notifications (account_id, id, kind, subject_id, author_id, post_id, latest_id)
       select author_id, uuidv7(), kind, id, author_id, id, uuidv7()
       from posts join account_counters on account_id = author_id and last_post_number = number
       cross join (values ('like', true), ('comment', false)) as kinds (kind, likes)
       where case when likes then like_count else comment_count end > 0`,
      `insert into notifications (account_id, id, kind, subject_id, latest_id)
       select account_id, uuidv7(), 'follow', account_id, uuidv7()
       from account_counters where followers > 0 and (hashtext(account_id::text) % 10 = 0
         or account_id = (select id from accounts where username = 'member_0')
         or account_id in (select followee_id from follows f join accounts a on a.id = f.follower_id
           where a.username = '${graph.viewers[0]?.username}'))`,
      `insert into notification_acts (account_id, id, notification_id, actor_id)
       select l.author_id, l.id, n.id, l.account_id from notifications n
       join likes l on l.author_id = n.author_id and l.post_id = n.post_id where n.kind = 'like'
       union all
       select c.author_id, c.id, n.id, c.account_id from notifications n
       join comments c on c.author_id = n.author_id and c.post_id = n.post_id
       where n.kind = 'comment'
       union all
       select f.followee_id, f.id, n.id, f.follower_id from notifications n
       join followers f on f.followee_id = n.account_id where n.kind = 'follow'`,
      // one in ten has read home lately
      `insert into home_lists (account_id, floor_id)
       select id, '00000000-0000-0000-0000-000000000000' from accounts
       where hashtext(id::text) % 10 = 0`,
      `insert into home_entries (account_id, post_id, author_id)
       select f.follower_id, r.post_id, r.author_id from home_lists l
       join follows f on f.follower_id = l.account_id
       join recent_photos r on r.author_id = f.followee_id`,
    ]) {
      await client.query(statement);
    }
    // The same posts in every town: those of the accounts that the first viewer follows.
    await client.query(
      `insert into bookmarks (account_id, author_id, post_id, id, has_picture)
       select f.follower_id, p.author_id, p.id, uuidv7(), true
       from follows f join posts p on p.author_id = f.followee_id
       where f.follower_id = $1 and p.picture_count > 0
       order by p.id limit 100 on conflict do nothing`,
      [graph.viewers[0]?.id],
    );
    await client.query("delete from home_entries where account_id = any ($1)", [ids(graph)]);
    await client.query("delete from home_lists where account_id = any ($1)", [ids(graph)]);
    await client.query("vacuum (analyze)");
  } finally {
    await client.end();
  }
}

const ids = ({ viewers }: Pick<Graph, "viewers">): string[] => viewers.map(({ id }) => id);

/** What the pages of such a town cost. */
export async function pageCosts(
  db: Database,
  connection: pg.ClientConfig,
  screens: Screens,
  graph: Graph,
): Promise<PageCost[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "postcard-growth-"));
  const product = openProduct({ connection, dataDir });
  const app = await openApp(product, screens);
  try {
    const somebody = await ordinaryAuthor(product, graph);
    const star = await famousAuthor(product);
    const people = [...ids(graph), star.id, somebody.id];
    const [reader, visitor, famous, ordinary] = await sessionsFor(product, people);
    if (!reader || !visitor || !famous || !ordinary) throw new Error("Nobody is there.");

    const pulled = await feedReads(db, reader.viewer, null);
    await makeLists(product, [reader.viewer]);
    // As autovacuum does, sooner or later depending on a table's size.
    await db.query(sql`vacuum (analyze) follows, followers, home_lists, home_entries`);
    const listed = await feedReads(db, reader.viewer, null);
    const costs: PageCost[] = [
      { what: "Home feed, 200 followed, pulled", buffers: pulled.buffers, statements: [] },
      { what: "Home feed, 200 followed, from its list", buffers: listed.buffers, statements: [] },
    ];
    const pages: [what: string, path: string, member: Member][] = [
      ["The home page", "/", reader],
      ["An ordinary profile", `/search/${somebody.id}`, visitor],
      ["The profile of the best-known member", `/search/${star.id}`, visitor],
      ["An ordinary post", somebody.post, visitor],
      ["Comments of an ordinary post", `/api${somebody.api}/comments`, visitor],
      ["The newest post of the best-known member", star.post, visitor],
      ["Comments of the best-known member's newest post", `/api${star.api}/comments`, visitor],
      ["Who likes the best-known member's newest post", `/api${star.api}/likes`, visitor],
      ["Followers of an ordinary member", `/profile/followers/${somebody.id}`, visitor],
      ["Followers of the best-known member", `/profile/followers/${star.id}`, visitor],
      ["Notifications of an ordinary member", "/notifications", ordinary],
      ["Notifications of the best-known member", "/notifications", famous],
      ["What somebody saved", "/saved", reader],
    ];
    for (const [what, path, member] of pages) {
      const session = new Set((await sentFor("/api/session", member)).map(({ text }) => text));
      const sent = (await sentFor(path, member)).filter(({ text }) => !session.has(text));
      const statements = await costsOfStatements(db, sent);
      const buffers = statements.reduce((sum, each) => sum + each.buffers, 0);
      costs.push({ what, buffers, statements });
    }
    return costs;
  } finally {
    await app.close();
    await product.close();
    rmSync(dataDir, { recursive: true, force: true });
  }

  async function sentFor(url: string, { cookie }: Member): Promise<Statement[]> {
    const ask = async () => {
      const answer = await app.inject({ url, headers: { cookie, "sec-fetch-dest": "document" } });
      if (answer.statusCode !== 200) {
        throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
      }
    };
    // What is read once in the life of a server is not part of a page's cost.
    await ask();
    return (await product.recording(ask)).statements;
  }
}

async function costsOfStatements(
  db: Database,
  sent: readonly Statement[],
): Promise<StatementCost[]> {
  const costs: StatementCost[] = [];
  for (const { text, values } of sent) {
    if (!/^\s*(select|with)\b/i.test(text)) continue;
    const buffers: number[] = [];
    for (const plan of ["generic", "custom"] as const) {
      buffers.push((await costOf(db, "", { text, values: [...values] }, plan)).buffers);
    }
    costs.push({ text, buffers: Math.max(...buffers) });
  }
  return costs;
}

type Author = { id: string; post: string; api: string };
type Found = { id: string; username: string; number: number };

/**
 * An account that the viewer follows, so that it is the same in every town: not a star, with pages to fill.
 */
async function ordinaryAuthor({ db }: Product, { viewers }: Graph): Promise<Author> {
  const [found] = await db.query<Found>(sql`
    select a.id, a.username, p.number
    from follows f
    join accounts a on a.id = f.followee_id
    join account_counters c on c.account_id = a.id
    join posts p on p.author_id = a.id
    where f.follower_id = ${viewers[0]?.id} and c.posts between 25 and 100
      and p.picture_count > 0 and p.comment_count <= 20
    order by p.comment_count desc, a.id
    limit 1
  `);
  return authorOf(found);
}

/** An account whose newest post a part of the whole town liked and commented on. */
async function famousAuthor({ db }: Product): Promise<Author> {
  const [found] = await db.query<Found>(sql`
    select a.id, a.username, p.number
    from posts p
    join accounts a on a.id = p.author_id
    where a.username = 'member_0'
    order by p.id desc
    limit 1
  `);
  return authorOf(found);
}

function authorOf(found: Found | undefined): Author {
  if (!found) throw new Error("Nobody is there.");
  const { id, username, number } = found;
  const path = `${username}/${number}`;
  return { id, post: `/post/${path}`, api: `/posts/${path}` };
}
