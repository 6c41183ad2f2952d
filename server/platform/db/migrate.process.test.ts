import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { emptyDatabase } from "#server/test/database.ts";
import { startProgram, temporaryFolder } from "#server/test/processes.ts";

const migrate = `
  import { migrate } from "#server/platform/db/migrate.ts";
  const [connection, directory] = process.argv.slice(1);
  console.log("began");
  console.log("applied", await migrate({ connection: JSON.parse(connection), directory }));
`;

function migrateElsewhere(connection: pg.PoolConfig, directory: string) {
  const program = [process.execPath, "--input-type=module", "-e", migrate];
  return startProgram([...program, JSON.stringify(connection), directory]);
}

async function numbers(connection: pg.PoolConfig): Promise<number[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>("SELECT n FROM numbers ORDER BY n");
    return rows.map(({ n }) => n);
  } finally {
    await client.end();
  }
}

function slowMigrations(directory: string, files: number): void {
  writeFileSync(join(directory, "0000_numbers.sql"), "CREATE TABLE numbers (n integer)");
  for (let n = 1; n <= files; n++) {
    const text = `INSERT INTO numbers VALUES (${n}); SELECT pg_sleep(0.15);`;
    writeFileSync(join(directory, `000${n}_add.sql`), text);
  }
}

test("four servers that start at once migrate once", async () => {
  const connection = await emptyDatabase();
  const directory = temporaryFolder();
  slowMigrations(directory, 3);
  const four = [1, 2, 3, 4].map(() => migrateElsewhere(connection, directory));
  expect(await Promise.all(four.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  expect(await numbers(connection)).toEqual([1, 2, 3]);
});

test("the next start completes what one that was killed while migrating left undone", async () => {
  const connection = await emptyDatabase();
  const directory = temporaryFolder();
  slowMigrations(directory, 6);
  for (const pause of [100, 350, 600]) {
    const killed = migrateElsewhere(connection, directory);
    await killed.until(/began/);
    await new Promise((resolve) => setTimeout(resolve, pause));
    killed.child.kill("SIGKILL");
    expect(await killed.ended).toBeNull();
  }
  const next = migrateElsewhere(connection, directory);
  expect(await next.ended).toBe(0);
  expect(await numbers(connection)).toEqual([1, 2, 3, 4, 5, 6]);
});
