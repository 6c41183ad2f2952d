import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createJobs } from "#server/platform/jobs.ts";
import { createLog } from "#server/platform/log.ts";
import { freshDatabase } from "#server/test/database.ts";
import { startProgram } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";

test("a job whose process was killed is done by another", async () => {
  const { db, connection } = await freshDatabase();
  const name = "test.killed";
  const jobs = createJobs({ db, log: createLog("silent") });
  const seen: unknown[] = [];
  jobs.handle(name, async (data) => seen.push(data));
  await jobs.add(name, { letter: "a" });

  const words = [process.execPath, "server/test/job-holder.ts", JSON.stringify(connection), name];
  const other = startProgram(words);
  await other.until(/begun/);
  expect(await jobs.runDue(), "it is the other's").toEqual({ done: 0, failed: [] });
  other.child.kill("SIGKILL");
  await other.ended;

  // a minute later
  await query(db, "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute'");
  await jobs.start();
  for (let tries = 0; (await stateOf()) !== "retry" && tries < 2000; tries += 1) await sleep(20);
  await query(db, "update pgboss.job set start_after = now()");
  for (let tries = 0; seen.length === 0 && tries < 2000; tries += 1) await sleep(20);
  await jobs.stop();
  expect(seen).toEqual([{ letter: "a" }]);

  async function stateOf() {
    const [job] = await query<{ state: string }>(db, "select state::text from pgboss.job");
    return job?.state;
  }
}, 120_000);
