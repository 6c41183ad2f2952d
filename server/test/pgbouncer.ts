import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PoolConfig } from "pg";
import { chooseRunner, own, run } from "#server/platform/db/postgres-runner.ts";
import { runAdminStatement } from "#server/test/admin-statement.ts";
import { until } from "#server/test/until.ts";

/** TEST_PGBOUNCER names another program than the machine's own, for instance a newer version. */
const program = process.env["TEST_PGBOUNCER"] ?? "pgbouncer";
const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
const version = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? "");

export const pgbouncer = version && {
  /** whether it has max_prepared_statements, which came with 1.21 */
  prepares: Number(version[1]) > 1 || Number(version[2]) >= 21,
};
if (!pgbouncer) console.info("PgBouncer is not installed here, so nothing is tried behind it.");

/** Starts PgBouncer in front of a PostgreSQL; the result leads to the same database through it. */
export async function startPgbouncer(
  to: PoolConfig,
  settings: Record<string, string> = {},
): Promise<{ connection: PoolConfig; stop: () => Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const users = join(home, "users");
  writeFileSync(users, `"${to.user}" "${typeof to.password === "string" ? to.password : ""}"\n`);
  const given = {
    listen_addr: "",
    unix_socket_dir: home,
    listen_port: "6432",
    auth_type: "trust",
    auth_file: users,
    pool_mode: "transaction",
    default_pool_size: "8",
    max_client_conn: "400",
    ...(pgbouncer?.prepares && { max_prepared_statements: "200" }),
    ...settings,
  };
  const lines = Object.entries(given).map(([name, value]) => `${name} = ${value}`);
  const file = join(home, "pgbouncer.ini");
  const database = `* = host=${to.host} port=${to.port ?? 5432}`;
  writeFileSync(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  const runner = chooseRunner(home, program);
  for (const path of [users, file]) own(runner, path);
  const child = run(runner, program, [file], { stdio: "ignore" });
  const ended = once(child, "exit");
  const connection = { ...to, host: home, port: 6432 };
  const answers = () =>
    runAdminStatement(connection, "select 1").then(
      () => true,
      () => child.exitCode !== null,
    );
  await until(answers);
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}`);
  const stop = async () => {
    child.kill("SIGQUIT");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return { connection, stop };
}

/** Sets what a role needs behind a pooler, as docs/operations.md says. */
export async function boundRole(connection: PoolConfig): Promise<void> {
  const settings = {
    statement_timeout: "60s",
    lock_timeout: "60s",
    idle_in_transaction_session_timeout: "60s",
  };
  const { user, database } = connection;
  for (const [name, value] of Object.entries(settings)) {
    await runAdminStatement(
      connection,
      `ALTER ROLE ${user} IN DATABASE ${database} SET ${name} = '${value}'`,
    );
  }
}
