import { readFileSync, realpathSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { processesIn, signal } from "#server/platform/db/postgres-processes.ts";
import { imageForm } from "#server/test/image-form.ts";
import { projectRoot, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";

const unitFile = join(projectRoot, "docs", "postcard.service");
const unit = readFileSync(unitFile, "utf8");
const killMode = /^KillMode=(\S+)$/m.exec(unit)?.[1] ?? "control-group";
const supervisor = [process.execPath, "scripts/start.mjs"];
const uploads = 6;

/** Sends an image in two halves, two seconds apart; resolves with its address, or null if it was refused. */
async function slowUpload(address: string, cookie: string): Promise<string | null> {
  const form = new Response(await imageForm());
  const bytes = new Uint8Array(await form.clone().arrayBuffer());
  const halves = [bytes.slice(0, bytes.length >> 1), bytes.slice(bytes.length >> 1)];
  const body = new ReadableStream({
    async pull(controller) {
      if (halves.length === 1) await sleep(2000);
      const half = halves.shift();
      if (half) controller.enqueue(half);
      else controller.close();
    },
  });
  const type = form.headers.get("content-type") ?? "";
  const headers = { cookie, origin: address, "content-type": type };
  const options = { method: "POST", headers, body, duplex: "half" };
  const answer = await fetch(`${address}/api/images`, options as RequestInit).catch(() => null);
  if (!answer?.ok) return null;
  const { data } = (await answer.json()) as { data: { url: string } };
  return data.url;
}

/** Every process that systemd counts as the service's: the first one, its descendants, and PostgreSQL. */
function controlGroup(first: number, dataDir: string): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = list.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([pid = 0, its]) => (its === parent ? [pid, ...below(pid)] : []));
  return [...processesIn(realpathSync(join(dataDir, "postgres", "data"))), ...below(first), first];
}

/**
 * Stops a server during uploads as systemd does; returns how many were acknowledged, and how many of those
 * exist afterwards.
 */
async function stopUnderUploads(mode: string) {
  const dataDir = join(temporaryFolder(), "data");
  const run = startServer(dataDir, {}, supervisor);
  const address = await addressOf(run);
  const cookie = await signUp(address, "ada@example.org");
  const answers = Array.from({ length: uploads }, () => slowUpload(address, cookie));
  await sleep(800);
  const first = run.child.pid ?? 0;
  const told = mode === "mixed" ? [first] : controlGroup(first, dataDir);
  for (const pid of new Set(told)) signal(pid, "SIGTERM");
  const taken = (await Promise.all(answers)).filter((url) => url !== null);
  const code = await run.ended;

  const next = startServer(dataDir);
  const again = await addressOf(next);
  const found = taken.map((url) => fetch(new URL(new URL(url, address).pathname, again)));
  const kept = (await Promise.all(found)).filter(({ status }) => status === 200);
  next.child.kill("SIGTERM");
  await next.ended;
  return { code, taken: taken.length, kept: kept.length };
}

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
  "systemd finds the unit well confined",
  () => {
    const words = ["security", "--offline=true", "--no-pager", unitFile];
    const { stdout } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    const [, exposure] = /exposure level for \S+: (\S+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(4);
    // V8 writes code and runs it
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  },
);

test("uploads finish when systemd stops the service, and what was acknowledged is stored", async () => {
  expect(await stopUnderUploads(killMode)).toEqual({ code: 0, taken: uploads, kept: uploads });
});

test("control: with a signal to all processes at once, PostgreSQL among them, not every upload finishes", async () => {
  const { taken, kept } = await stopUnderUploads("control-group");
  expect(taken).toBeLessThan(uploads);
  expect(kept).toBe(taken);
});
