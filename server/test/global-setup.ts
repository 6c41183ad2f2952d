import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { migrate } from "#server/platform/db/migrate.ts";
import { startSystemPostgres } from "#server/test/system-postgres.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { watchOwners } from "#server/test/owners-written.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** For pg: where the test databases are created. */
    postgres: ClientConfig;
    /** A migrated database, copied for every test file. */
    template: string;
  }
}

/**
 * Speed instead of durability: this data is thrown away. And enough connections for all files at once, one of
 * which runs three servers.
 */
const volatileSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
};

/**
 * Starts one PostgreSQL for the whole run: the embedded one, the machine's (TEST_POSTGRES_BIN is the folder
 * of its programs), or none if TEST_DATABASE_URL names one that is running.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "postcard-test-"));
  const { connection, stop } = await startPostgres(folder);
  const template = `postcard_template_${process.pid}`;
  await runAdminStatement(
    connection,
    `CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8'`,
  );
  await migrate({ connection: { ...connection, database: template } });
  await watchOwners({ ...connection, database: template });
  project.provide("postgres", connection);
  project.provide("template", template);
  const s3 = await startS3();
  project.provide("s3", s3?.endpoint ?? null);
  return async () => {
    await s3?.stop();
    await runAdminStatement(connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** With TEST_IMAGE_STORE=s3 every test stores its images in a bucket instead of its folder. */
async function startS3() {
  if (process.env["TEST_IMAGE_STORE"] !== "s3") return null;
  const { startS3Server } = await import("#server/test/s3-server.ts");
  return startS3Server();
}

async function startPostgres(
  dataDir: string,
): Promise<{ connection: ClientConfig; stop: () => Promise<void> }> {
  const { TEST_DATABASE_URL: url, TEST_POSTGRES_BIN: bin } = process.env;
  if (url) return { connection: parts(url), stop: async () => {} };
  if (bin) return startSystemPostgres({ bin, home: dataDir, settings: volatileSettings });
  const log = { info: () => {}, warn: console.warn, error: console.error };
  return startEmbeddedPostgres({
    dataDir,
    log,
    onLost: console.error,
    overrides: volatileSettings,
  });
}

/** The parts of an address, so that a test can replace the database. */
function parts(address: string): ClientConfig {
  const url = new URL(address);
  return {
    host: url.searchParams.get("host") ?? url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1) || "postgres",
  };
}
