import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterFile } from "#server/test/after-file.ts";
import { addressOf, postmasterOf, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";

/** A file system in memory; null where we may not mount one, which needs root. */
function smallDisk(size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), "postcard-disk-"));
  try {
    const options = ["-t", "tmpfs", "-o", `size=${size},mode=711`, "tmpfs", folder];
    execFileSync("mount", options, { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  afterFile(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const disk = smallDisk("420m");

/** Fills the disk completely. */
function fill(path: string): void {
  const part = Buffer.alloc(16_384, 1);
  try {
    for (;;) appendFileSync(path, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

test.skipIf(disk === null)(
  "with a full disk the server still answers, and it recovers by itself once there is space",
  { timeout: 400_000 },
  async () => {
    const dataDir = join(disk ?? "", "data");
    const server = startServer(dataDir, { NODE_ENV: "production" });
    const address = await addressOf(server);
    const ask = async (path: string) => {
      const answer = await fetch(`${address}${path}`, { headers: { accept: "text/html" } });
      return {
        status: answer.status,
        after: answer.headers.get("retry-after"),
        body: await answer.text(),
      };
    };
    expect(await ask("/")).toMatchObject({ status: 200 });

    // The reserve is used up as well, and PostgreSQL ends, as it does when it cannot write its log.
    const filling = join(disk ?? "", "fill");
    fill(filling);
    const more = setInterval(() => fill(filling), 20);
    try {
      await server.until(/"the disk is full/);
      fill(filling);
      process.kill(postmasterOf(dataDir) ?? 0, "SIGKILL");
      await server.until(/PostgreSQL cannot start on a full disk/);
      for (let turn = 0; turn < 10; turn += 1) {
        expect(await ask("/health/live")).toMatchObject({ status: 200 });
        const page = await ask("/");
        expect(page).toMatchObject({ status: 503, after: expect.any(String) });
        expect(page.body).toContain("reach its database");
      }
    } finally {
      clearInterval(more);
      rmSync(filling);
    }
    await until(async () => (await ask("/")).status === 200);
    await server.until(/"the database is back after \d+ s, \d+ requests answered 503"/);
    expect(server.child.exitCode).toBeNull();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
);
