import type pg from "pg";
import { z } from "zod";
import { append, join, parsed, readText } from "#server/platform/backup/files.ts";
import { finishedDeletions } from "#server/platform/backup/deletions.queries.ts";

/**
 * A file beside the backups: a line for each account that is gone for good, by a hash of its id. It only
 * grows, and outlives the backups: a restore of any of them deletes these accounts again.
 */
const fileName = "deletions.jsonl";

/** A deletion may be committed after one that began later: what is this much older is looked for again. */
const overlapMs = 60 * 60_000;

const lineSchema = z.object({
  account: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});

/** Adds what the database knows and the list in a folder of backups does not; the list is durable then. */
export async function recordDeletions(client: pg.Client, directory: string): Promise<void> {
  const known = await readDeletions(directory);
  const since = known.newest === null ? null : new Date(known.newest - overlapMs);
  const found = await finishedDeletions(client, since);
  const lines = found
    .filter(({ account }) => !known.accounts.has(account))
    .map(({ account, at }) => `${JSON.stringify({ account, at: at.toISOString() })}\n`);
  if (lines.length === 0) return;
  // The last line may be half of one, if its writer was killed.
  await append(join(directory, fileName), (known.endsWhole ? "" : "\n") + lines.join(""));
}

/**
 * The accounts that are gone for good, as a folder of backups knows them, by hashes of their ids; none without a
 * list. `unreadable`: how many of its lines are not what was written.
 */
export async function readDeletions(directory: string) {
  const text = (await readText(join(directory, fileName))) ?? "";
  const accounts = new Set<string>();
  let newest: number | null = null;
  let unreadable = 0;
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const found = parsed(lineSchema, line);
    if (!found) {
      unreadable += 1;
      continue;
    }
    accounts.add(found.account);
    const at = Date.parse(found.at);
    // Written while a clock was ahead, it would hide what came after it.
    if (at <= Date.now()) newest = Math.max(newest ?? 0, at);
  }
  return { accounts, unreadable, newest, endsWhole: text === "" || text.endsWith("\n") };
}
