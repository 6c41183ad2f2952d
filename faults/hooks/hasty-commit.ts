// For --import, a negative control of the fault programme: this server reports a transaction as committed
// before it is. What it acknowledges in the last seconds before a kill is lost.
import pg from "pg";

/** How late it commits, milliseconds. */
const lateMs = 1500;

type Query = (...args: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
prototype.query = function earlyAcknowledgement(this: pg.Client, ...args: unknown[]) {
  if (args[0] !== "commit") return query.apply(this, args);
  setTimeout(() => void (query.apply(this, args) as Promise<unknown>).catch(() => {}), lateMs);
  return Promise.resolve({ rows: [], rowCount: 0 });
};
