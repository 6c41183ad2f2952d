import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { phonePhoto } from "#server/test/pictures.ts";
import { temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";

/** As scripts/lib/supervise.mjs starts the server: both lower the peak (docs/performance.md). */
const flags = ["--max-semi-space-size=8", "--heap-growing-percent=60"];
const settings = { MALLOC_ARENA_MAX: "2" };

/** More than the server had before, bytes: some 190 MB after its start, and 400 are its goal. */
const mostGrowth = 200_000_000;
const senders = 4;
const photosEach = 2;

test.runIf(process.platform === "linux")(
  "photographs of 12 megapixels that come at once take a bounded memory",
  { timeout: 240_000 },
  async () => {
    const words = [process.execPath, ...flags, "server/main.ts"];
    const server = startServer(join(temporaryFolder(), "data"), settings, words);
    const address = await addressOf(server);
    const photo = await phonePhoto({ width: 4000, height: 3000, orientation: 1 });
    const cookies: string[] = [];
    for (let member = 0; member < senders; member += 1) {
      cookies.push(await signUp(address, `member${member}@example.org`));
    }

    const pid = server.child.pid ?? 0;
    const before = memoryOf(pid, "VmRSS");
    // The peak counts from here on (proc(5), clear_refs): passwords take memory as well.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    const answers = await Promise.all(
      cookies.flatMap((cookie) => Array.from({ length: photosEach }, () => send(cookie))),
    );
    expect(answers).toEqual(answers.map(() => 201));
    expect(memoryOf(pid, "VmHWM") - before).toBeLessThan(mostGrowth);

    async function send(cookie: string): Promise<number> {
      const form = new FormData();
      form.set("image", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "photo.jpg");
      const request = { method: "POST", headers: { cookie }, body: form };
      const answer = await fetch(`${address}/api/images`, request);
      await answer.arrayBuffer();
      return answer.status;
    }
  },
);

/** Bytes, as Linux counts them. */
function memoryOf(pid: number, what: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(String.raw`^${what}:\s+(\d+) kB`, "m").exec(status)?.[1]) * 1024;
}
