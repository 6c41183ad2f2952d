import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyBackup } from "#server/test/backups.ts";
import { projectRoot, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";

const minutes = 60_000;
/** A port that no other test listens on. */
const port = 20_000 + (process.pid % 20_000);

/** The values of one metric, by the text of its labels. */
function valuesOf(text: string, name: string): Map<string, number> {
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(name.length, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Every metric that docs/prometheus-rules.yml and docs/grafana.json use in an expression. */
function askedFor(): string[] {
  const rules = readFileSync(join(projectRoot, "docs/prometheus-rules.yml"), "utf8");
  const board = readFileSync(join(projectRoot, "docs/grafana.json"), "utf8");
  const expressions = [
    ...[...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, text = ""]) => text),
    ...[...board.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text),
  ];
  const names = expressions.flatMap((text) =>
    // Prometheus itself provides `up`.
    (text.match(/\b(?:postcard|http|nodejs|process)_[a-z0-9_]+/g) ?? []).map((name) =>
      name.replace(/_(?:bucket|count|sum)$/, ""),
    ),
  );
  return [...new Set(names)].toSorted();
}

test.each(["1", "2"])(
  "counts what %s processes do, at a port of 127.0.0.1 alone",
  { timeout: 3 * minutes },
  async (PROCESSES) => {
    // One of two hours ago, and one that is not complete.
    const backups = temporaryFolder();
    emptyBackup(backups, new Date(Date.now() - 2 * 60 * minutes));
    mkdirSync(join(backups, ".draft-now"));
    const settings = { PROCESSES, METRICS_PORT: String(port), BACKUP_DIR: backups };
    const server = startServer(join(temporaryFolder(), "data"), settings);
    const address = await addressOf(server);
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      return answer.ok ? answer.text() : "";
    };
    const cookie = await signUp(address, "ada@example.org");
    const asked = 12;
    for (let turn = 0; turn < asked; turn += 1) {
      // Separate connections, so that every process gets some.
      const headers = { cookie, connection: "close" };
      await fetch(`${address}/api/feed`, { headers }).then((answer) => answer.arrayBuffer());
      await fetch(`${address}/search?q=ada`, { headers }).then((answer) => answer.arrayBuffer());
      await fetch(`${address}/made/up/${turn}`, { headers }).then((answer) => answer.arrayBuffer());
    }
    const stream = await fetch(`${address}/api/events`, { headers: { cookie } });

    // The answer is sent before it is counted.
    const counts = "http_request_duration_seconds_count";
    let text = "";
    await until(async () => {
      text = await read();
      const requests = valuesOf(text, counts);
      const streams = [...valuesOf(text, "postcard_streams").values()];
      return (
        requests.get('{method="GET",route="/api/feed",status="200"}') === asked &&
        requests.get('{method="GET",route="/search",status="200"}') === asked &&
        requests.get('{method="GET",route="/*",status="404"}') === asked &&
        streams[0] === 1
      );
    });
    expect(text).not.toMatch(/ada|made/);
    for (const name of [
      "nodejs_eventloop_lag_p99_seconds",
      "process_resident_memory_bytes",
      "process_open_fds",
    ]) {
      expect(valuesOf(text, name).size, name).toBeGreaterThan(0);
    }
    expect(valuesOf(text, "postcard_database_connections").size).toBe(3);
    expect(valuesOf(text, "postcard_uploads").size).toBe(2);
    expect(valuesOf(text, "postcard_decodes").size).toBe(2);

    // A separate process reads the folder first.
    await until(async () => {
      text = await read();
      const names = ["postcard_backup_age_seconds", "postcard_backup_folder_ready"];
      return names.every((name) => valuesOf(text, name).size > 0);
    });
    expect([...valuesOf(text, "postcard_backup_folder_ready").values()]).toEqual([1]);
    const [age = 0] = valuesOf(text, "postcard_backup_age_seconds").values();
    expect(age).toBeGreaterThanOrEqual(2 * 60 * 60 - 1);

    // What the alert rules and the dashboard use exists, by name.
    const asks = askedFor();
    expect(asks.length).toBeGreaterThan(15);
    for (const name of asks) expect(text, name).toContain(`# TYPE ${name} `);
    expect(valuesOf(text, "postcard_disk_free_bytes").get('{disk="data"}')).toBeGreaterThan(0);
    expect([...valuesOf(text, "postcard_database_bytes").values()][0]).toBeGreaterThan(1_000_000);
    expect(valuesOf(text, "postcard_jobs_given_up").get("")).toBe(0);

    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { headers: { cookie } })).status).toBe(404);
    await stream.body?.cancel();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
);

test("says in one sentence that the port is taken", { timeout: minutes }, async () => {
  const taken = startServer(join(temporaryFolder(), "one"), { METRICS_PORT: String(port) });
  await addressOf(taken);
  const second = startServer(join(temporaryFolder(), "two"), { METRICS_PORT: String(port) });
  expect(await second.ended).toBe(1);
  expect(second.complained()).toContain(
    `METRICS_PORT is ${port}, but listening there fails (EADDRINUSE).`,
  );
  taken.child.kill("SIGTERM");
  expect(await taken.ended).toBe(0);
});

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.skipIf(!hasTerminal)("writes lines for people on a terminal, and JSON elsewhere", () => {
  const program = `
    const { createLog } = await import("#server/platform/log.ts");
    createLog("info").child({ req: { method: "GET", path: "/search" } }).info({ ms: 4 }, "request");
  `;
  const words = ["--input-type=module", "-e", program];
  const options = { cwd: projectRoot, encoding: "utf8" } as const;
  const elsewhere = execFileSync(process.execPath, words, options);
  expect(JSON.parse(elsewhere)).toMatchObject({ msg: "request", ms: 4 });
  const quoted = [process.execPath, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const shown = execFileSync("script", ["-qec", quoted.join(" "), "/dev/null"], options);
  expect(shown).toMatch(/^\S*\[\d\d:\d\d:\d\d\].*INFO.*request GET \/search.*"ms":4/);
});
