import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { PostRef } from "#server/features/types.ts";
import type { Chain } from "#server/platform/backup/chain.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { sql } from "#server/platform/db/sql.ts";
import { segmentsIn, spoolOf } from "#server/platform/db/wal-spool.ts";
import type { Viewer } from "#shared/views.ts";
import type { Archived } from "../archived-database.ts";
import type { Cost, CostOf } from "../cost.ts";
import { openProduct, sessionsFor } from "../product.ts";

const program = fileURLToPath(new URL("../../server/ship.ts", import.meta.url));

const textPost = {
  caption: "Low tide at noon, and nobody on the pier.",
  pictures: [],
  timeZone: "UTC",
  clientKey: null,
};

/** The log that so many likes, comments and posts make after a checkpoint, and what it costs to ship it. */
export async function logOfWrites(
  here: Archived,
  chain: Chain,
  count: number,
  cost: CostOf,
): Promise<{ bytes: number; kept: number; segments: number; shipped: Cost }> {
  const { config, connection } = here;
  const spool = spoolOf(config.dataDir);
  const wal = join(chain.folder, "wal");
  const product = openProduct({ connection, dataDir: join(config.dataDir, "bench") });
  try {
    const posts = await product.db.query<PostRef>(sql`
      select author_id as "authorId", id as "postId" from posts order by random() limit 5000
    `);
    const authors = [...new Set(posts.map(({ authorId }) => authorId))].slice(0, 200);
    const viewers = (await sessionsFor(product, authors)).map(({ viewer }) => viewer);
    await product.db.query(sql`checkpoint`);
    await finishSegment(connection, spool);
    await ship(here);
    const [before, from] = [await position(connection), bytesBelow(wal)];
    for (let index = 0; index < count; index += 1) {
      const [viewer, post] = [viewers[index % viewers.length], posts[index % posts.length]];
      await write(product, viewer as Viewer, post as PostRef, index);
    }
    const bytes = (await position(connection)) - before;
    await finishSegment(connection, spool);
    const { length: segments } = await segmentsIn(spool);
    const shipped = await cost(() => ship(here));
    return { bytes, kept: bytesBelow(wal) - from, segments, shipped };
  } finally {
    await product.close();
  }
}

/** As docs/capacity.md has it: of 42, 28 likes, 12 comments or messages, a bookmark and a post. */
async function write(
  { features }: ReturnType<typeof openProduct>,
  viewer: Viewer,
  at: PostRef,
  index: number,
): Promise<void> {
  const kind = index % 42;
  if (kind === 0) await features.posts.publish(viewer, textPost);
  else if (kind === 1) await features.bookmarks.save(viewer, at);
  else if (kind < 14) await features.comments.add(viewer, at, "What a view! Where is that?", null);
  else await features.likes.like(viewer, at);
}

/** What the server starts every minute. */
async function ship({ environment }: Archived): Promise<void> {
  const child = spawn(process.execPath, [program], {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`Shipping ended with code ${code}.`);
}

export async function finishSegment(connection: pg.ClientConfig, spool: string): Promise<void> {
  const name = await withSession(connection, async (client) => {
    await client.query("select pg_logical_emit_message(false, 'bench', 'something')");
    const { rows } = await client.query<{ name: string }>(
      "select pg_walfile_name(pg_switch_wal() - 1) as name",
    );
    return rows[0]?.name ?? "";
  });
  while (!(await segmentsIn(spool)).includes(name)) await sleep(50);
}

const position = (connection: pg.ClientConfig): Promise<number> =>
  withSession(connection, async (client) => {
    const { rows } = await client.query<{ at: string }>(
      "select (pg_current_wal_lsn() - '0/0')::text as at",
    );
    return Number(rows[0]?.at ?? 0);
  });

/** Of all files in a folder, and in those below it. */
export const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
