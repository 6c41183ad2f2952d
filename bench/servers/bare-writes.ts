import { createServer } from "node:http";
import pg from "pg";

/**
 * What writes are compared with: Node's own HTTP server, the same driver, and for each request one
 * transaction of the statements that are next in turn, prepared by name: no session, no router, no
 * limits, no log.
 */
type Settings = {
  databaseUrl: string;
  /** of the action, and of its undoing */
  texts: [string[], string[]];
  /** of each turn, in the order of its texts: the action and its undoing, in turns */
  turns: unknown[][][];
};

const { databaseUrl, texts, turns } = JSON.parse(process.env.BENCH ?? "") as Settings;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
let next = 0;

const server = createServer(async (_request, response) => {
  const turn = next % turns.length;
  next += 1;
  const client = await pool.connect();
  for (const [index, text] of (texts[turn % 2] ?? []).entries()) {
    await client.query({ name: `write-${turn % 2}-${index}`, text, values: turns[turn]?.[index] });
  }
  client.release();
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end("{}");
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.({ ready: true }));
process.on("SIGTERM", () => process.exit(0));
