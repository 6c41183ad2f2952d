import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { canKillMounts, killMount } from "#server/test/dead-mount.ts";
import { imagesOnDisk, storeEnvironment } from "#server/test/image-stores.ts";
import { startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, smallImage, startServer } from "#server/test/running-server.ts";
import { until } from "#server/test/until.ts";

const minutes = 60_000;
/** A port that no other test uses. */
const port = 21_000 + (process.pid % 20_000);

const revivals: (() => void)[] = [];
afterEach(() => {
  for (const revive of revivals.splice(0)) revive();
});

/** Replaces the disk below a folder by one that is gone: every read of it hangs. */
function kill(folder: string): () => void {
  const mount = killMount(folder);
  if (!mount) throw new Error("No mount could be made.");
  revivals.push(mount.revive);
  return mount.revive;
}

/** Ends within ten seconds; otherwise this kills it. */
async function endsInTime(server: ReturnType<typeof startServer>): Promise<void> {
  const late = setTimeout(() => server.child.kill("SIGUSR2"), 10_000);
  server.child.kill("SIGTERM");
  await server.ended;
  clearTimeout(late);
  expect(server.child.signalCode).not.toBe("SIGUSR2");
}

// Needs FUSE and root. Without them no disk can be made to hang, and these tests are skipped.
test.skipIf(!canKillMounts)(
  "with a dead disk under BACKUP_DIR everything works, it is reported, and a stop takes no longer",
  { timeout: 5 * minutes },
  async () => {
    const [dataDir, backups] = [join(temporaryFolder(), "data"), temporaryFolder()];
    const revive = kill(backups);
    const settings = { BACKUP_DIR: backups, METRICS_PORT: String(port) };
    const server = startServer(dataDir, settings);
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const metrics = () => fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    await until(async () => (await metrics()).includes("postcard_backup_folder_ready 0"));
    const feed = await fetch(`${address}/api/feed`, { headers: { cookie } });
    expect(feed.status).toBe(200);
    const ready = await fetch(`${address}/health/ready`);
    expect(await ready.json()).toEqual({ status: "ready" });
    for (const command of ["status", "doctor"]) {
      const env = {
        ...settings,
        ...storeEnvironment(dataDir),
        DATA_DIR: dataDir,
        LOG_LEVEL: "silent",
      };
      const asked = startProgram([process.execPath, "server/admin.ts", command], { env });
      await asked.ended;
      expect(asked.said(), command).toContain("The backup folder does not answer.");
    }
    await endsInTime(server);
    expect(server.child.exitCode).toBe(0);

    // The control: with the disk back, the first inspection finds it ready.
    revive();
    const again = startServer(dataDir, settings);
    await addressOf(again);
    await until(async () => (await metrics()).includes("postcard_backup_folder_ready 1"));
    await endsInTime(again);
  },
);

test.skipIf(!canKillMounts || !imagesOnDisk())(
  "with a dead disk under the images their reads and writes are refused, and the rest works",
  { timeout: 5 * minutes },
  async () => {
    const folder = join(temporaryFolder(), "data");
    const server = startServer(folder);
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const send = async () => {
      const form = new FormData();
      form.set("image", await smallImage(), "one.png");
      return fetch(`${address}/api/images`, { method: "POST", body: form, headers: { cookie } });
    };
    const { data } = (await (await send()).json()) as { data: { url: string } };
    const picture = () => fetch(new URL(new URL(data.url).pathname, address));
    expect((await picture()).status).toBe(200);

    mkdirSync(join(folder, "images"), { recursive: true });
    const revive = kill(join(folder, "images"));
    const refusals = await Promise.all(Array.from({ length: 12 }, picture));
    for (const { status, headers } of refusals) {
      expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    }
    expect((await picture()).status).toBe(503);
    const sent = await send();
    expect(sent.status).toBe(503);
    expect(await sent.text()).toContain("their disk isn't responding");
    // Still working: pages, compressed in the same threads; posts without photos; the readiness check.
    const headers = { cookie, "accept-encoding": "br" };
    expect((await fetch(`${address}/`, { headers })).status).toBe(200);
    const post = await fetch(`${address}/api/posts`, {
      method: "POST",
      body: JSON.stringify({ caption: "Words need no disk" }),
      headers: { cookie, "content-type": "application/json" },
    });
    expect(post.status).toBe(201);
    const ready = await fetch(`${address}/health/ready`);
    expect(await ready.json()).toEqual({ status: "ready", pictures: "away" });

    // The control: the disk is back.
    revive();
    await until(async () => (await picture()).status === 200);
    expect((await send()).status).toBe(201);
    kill(join(folder, "images"));
    await picture();
    await endsInTime(server);
  },
);
