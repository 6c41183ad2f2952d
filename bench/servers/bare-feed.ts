import { createServer } from "node:http";
import pg from "pg";

/**
 * What the JSON feed is compared with: Node's own HTTP server, the same driver, the same
 * statements prepared by name with the same values, JSON.stringify, and nothing else: no session,
 * no router, no headers, no log.
 */
type Settings = { databaseUrl: string; statements: { text: string; values: unknown[] }[] };

const { databaseUrl, statements } = JSON.parse(process.env.BENCH ?? "") as Settings;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const server = createServer(async (_request, response) => {
  let rows: unknown[] = [];
  for (const [index, { text, values }] of statements.entries()) {
    ({ rows } = await pool.query({ name: `feed-${index}`, text, values }));
  }
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ items: rows }));
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.({ ready: true }));
process.on("SIGTERM", () => process.exit(0));
