import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { bytesOfRow, type TableName } from "../capacity.ts";
import { compareCpu, type Contender } from "../cpu.ts";
import { growGraph } from "../graph.ts";
import type { Installation } from "../installation.ts";
import type { Asked } from "../load.ts";
import { openProduct, sessionsFor, type Member } from "../product.ts";
import { startPostcard } from "../servers/measured-server.ts";
import { inFull, type Figure } from "../table.ts";
import { withTemporaryDatabase } from "../temporary-database.ts";

/** How far a table may be from the figures of docs/capacity.md, and a request from the middle size. */
const [nearBytes, nearCpu] = [0.15, 1.5];
/** Below this a table's first pages and its map of free space matter more than its rows; bytes. */
const worthComparing = 2_000_000;

type Cost = { what: string; server: number; database: number };

/**
 * Compares the figures of docs/capacity.md with towns of several sizes: bytes of each table, including
 * indexes, predicted from its rows and measured; and what a request costs in each town compared with the
 * middle one.
 */
export async function capacity(
  installation: Installation,
  sizes: readonly number[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const costs: Cost[][] = [];
  for (const accounts of sizes) {
    const town = await withTemporaryDatabase(
      installation,
      `capacity_${accounts}`,
      async (db, connection) => {
        const graph = await growGraph(connection, {
          accounts,
          postsPerAccount: 8,
          viewers: [{ follows: 200, of: "anybody" }],
        });
        await addConversation(db);
        const reader = graph.viewers[0]?.id ?? "";
        const name = String(connection.database);
        const address = installation.databaseUrl.replace(/\/[^/?]*\?/, `/${name}?`);
        const here = { ...installation, connection, databaseUrl: address };
        return { tables: await tableSizes(db), costs: await requestCosts(here, reader) };
      },
    );
    figures.push(sizeFigure(accounts, town.tables));
    costs.push(town.costs);
  }
  const middle = costs[(sizes.length - 1) >> 1] ?? [];
  for (const [index, { what }] of middle.entries()) {
    const each = costs.map((of) => of[index] as Cost);
    const total = ({ server, database }: Cost) => server + database;
    const whole = each.map(total);
    const ratio = Math.max(...whole) / total(middle[index] as Cost);
    figures.push({
      what: `${what}, among ${sizes.map(inFull).join(", ")} accounts: CPU of server and database`,
      value: each
        .map(({ server, database }) => `${Math.round(server)} + ${Math.round(database)} µs`)
        .join(", "),
      goal: `≤ ${nearCpu} × the middle`,
      met: ratio <= nearCpu,
    });
  }
  return figures;
}

type TableSize = { table: string; rows: number; bytes: number };

/** Rows and bytes of every table that has any: heap, TOAST, maps and all indexes. */
export async function tableSizes(db: Database): Promise<TableSize[]> {
  const rows = await db.query<{ table: string; bytes: string }>(sql`
    select c.relname as table, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
    order by c.relname
  `);
  const sizes: TableSize[] = [];
  for (const { table, bytes } of rows) {
    const [counted] = await db.query<{ rows: string }>(sql`
      select count(*) as rows from ${sql.table(table)}
    `);
    const count = Number(counted?.rows ?? 0);
    if (count > 0) sizes.push({ table, rows: count, bytes: Number(bytes) });
  }
  return sizes;
}

function sizeFigure(accounts: number, tables: readonly TableSize[]): Figure {
  const known = tables.filter(({ table }) => table in bytesOfRow);
  const predicted = ({ table, rows }: TableSize) => rows * bytesOfRow[table as TableName];
  const sum = (of: (table: TableSize) => number) => known.reduce((all, each) => all + of(each), 0);
  const [expected, found] = [sum(predicted), sum(({ bytes }) => bytes)];
  const compared = known.filter(({ bytes }) => bytes >= worthComparing);
  const far = compared
    .map((each) => ({ table: each.table, ratio: each.bytes / predicted(each) }))
    .toSorted((one, other) => Math.abs(Math.log(other.ratio)) - Math.abs(Math.log(one.ratio)));
  const [worst] = far;
  for (const { table, rows, bytes } of known) {
    process.stderr.write(`  ${table}: ${inFull(rows)} rows of ${Math.round(bytes / rows)} bytes\n`);
  }
  return {
    what: `Tables of ${inFull(accounts)} accounts against what their rows predict: bytes`,
    value:
      `${(found / expected).toFixed(2)} × (${Math.round(found / 1e6)} MB, predicted ${Math.round(expected / 1e6)})` +
      (worst ? `; furthest ${worst.table}, ${worst.ratio.toFixed(2)} ×` : ""),
    goal: `within ${nearBytes * 100} %`,
    met: Math.abs(found / expected - 1) <= nearBytes,
  };
}

/** Sessions, passwords, messages and notifications, which a generated graph doesn't have. */
async function addConversation(db: Database): Promise<void> {
  const statements = [
    sql`
      insert into sessions (id, token_hash, account_id, expires_at, ip_address, user_agent)
      select uuidv7(), sha256(id::text::bytea), id, now() + '30 days',
        '203.0.113.7', 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130 Safari/537.36'
      from accounts`,
    sql`
      insert into credentials (id, account_id, provider_id, subject, password)
      select uuidv7(), id, 'credential', id::text, '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('x', 66)
      from accounts`,
    // one in four liked posts notified its author
    sql`
      insert into notifications (account_id, id, kind, subject_id, author_id, post_id, latest_id)
      select author_id, uuidv7(), 'like', id, author_id, id, uuidv7()
      from posts where like_count > 0 and number % 4 = 0`,
    sql`
      insert into notification_acts (account_id, id, notification_id, actor_id)
      select l.author_id, l.id, n.id, l.account_id
      from notifications n join likes l on l.author_id = n.author_id and l.post_id = n.post_id`,
    // each with the next: ten messages
    sql`
      insert into conversations (id, low_id, high_id, last_seq, last_message_id)
      select uuidv7(), id, next, 10, uuidv7()
      from (select id, lead(id) over (order by id) as next from accounts) pairs
      where next is not null`,
    sql`
      insert into conversation_members (account_id, conversation_id)
      select low_id, id from conversations union all select high_id, id from conversations`,
    sql`
      insert into messages (conversation_id, seq, id, sender_id, body, client_key)
      select id, seq, uuidv7(), case when seq % 2 = 0 then low_id else high_id end,
        repeat('Are you coming down to the pier? ', 1 + seq % 4), gen_random_uuid()::text
      from conversations cross join generate_series(1, 10) as seq`,
    sql`vacuum (analyze)`,
  ];
  for (const statement of statements) await db.query(statement);
}

/** What the actions of a day cost, for a member who follows 200, warm. */
async function requestCosts(here: Installation, readerId: string): Promise<Cost[]> {
  const product = openProduct(here);
  const postcard = await startPostcard(here);
  try {
    const [{ viewer, cookie } = {} as Member] = await sessionsFor(product, [readerId]);
    const authors = await product.db.query<{ username: string }>(sql`
      select a.username
      from posts p
      join accounts a on a.id = p.author_id
      where p.number = 2 and a.id <> ${viewer.id}
      order by a.id
      limit 200
    `);
    const path = (index: number) =>
      `/api/posts/${authors[index % authors.length]?.username ?? ""}/2`;
    const body = JSON.stringify({ caption: "Low tide at noon, and nobody on the pier." });
    const json = { cookie, "content-type": "application/json" };
    const browser = { "sec-fetch-dest": "document", "accept-encoding": "gzip, deflate, br, zstd" };
    type Kind = [what: string, headers: Record<string, string>, ask: (index: number) => Asked];
    const kinds: Kind[] = [
      ["The next 20 posts of a feed", { cookie }, () => ({ path: "/api/feed" })],
      ["The document of the feed", { ...browser, cookie }, () => ({ path: "/" })],
      [
        "The document of a post",
        { ...browser, cookie },
        (i) => ({ path: path(i).slice(4).replace("posts", "post") }),
      ],
      [
        "A like or its undoing",
        { cookie },
        (i) => ({ method: i % 2 ? "DELETE" : "PUT", path: `${path(i >> 1)}/like` }),
      ],
      [
        "A comment",
        json,
        (i) => ({
          method: "POST",
          path: `${path(i)}/comments`,
          body: JSON.stringify({ body: `Which pier? ${i}` }),
        }),
      ],
      ["A post of words", json, () => ({ method: "POST", path: "/api/posts", body })],
    ];
    const costs: Cost[] = [];
    for (const [what, headers, ask] of kinds) {
      const contender: Contender = { server: postcard, path: "", headers, ask };
      const effort = { count: 300, rate: 60, rounds: 2, databaseCpu: here.databaseCpu };
      const [{ cpu: server, withDatabase }] = await compareCpu(contender, contender, effort);
      costs.push({ what, server, database: withDatabase - server });
    }
    return costs;
  } finally {
    await postcard.stop();
    await product.close();
  }
}
