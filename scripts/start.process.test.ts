import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ordinaryUser } from "#server/test/processes.ts";
import { lockfile, smallProject, startAndStop } from "./test/small-project.ts";

const ready = "Postcard is ready at nowhere\n";

describe("npm start prepares what is missing", () => {
  test("installs and builds the first time, and says so; the second time it just starts", async () => {
    const { start, lines } = smallProject();
    const first = await startAndStop(start());
    expect(first).toMatch(/^Installing what Postcard needs\..*\nInstalled in .*\nBuilding/);
    expect(await startAndStop(start())).toBe(ready);
    expect(lines("npm.log")).toHaveLength(2);
    expect(lines("builds.log")).toHaveLength(1);
  });

  test("of two starts at once one installs and both run", async () => {
    const { start, lines } = smallProject();
    const both = [start({ NPM_TAKES: "1500" }), start({ NPM_TAKES: "1500" })];
    const said = await Promise.all(both.map(startAndStop));
    expect(said.filter((text) => text.includes("waiting for it"))).toHaveLength(1);
    expect(lines("npm.log")).toHaveLength(2);
    expect(lines("builds.log")).toHaveLength(1);
  });

  test("an installation that was killed is done again", async () => {
    const { start, lines } = smallProject();
    const killed = start({ NPM_TAKES: "60000" });
    await killed.until(/Installing/);
    while (lines("npm.log").length === 0) await sleep(50);
    const npm = childOf(killed.child.pid as number);
    killed.child.kill("SIGKILL");
    process.kill(npm, "SIGKILL");
    await killed.ended;
    expect(await startAndStop(start())).toContain("Installed in");
    expect(lines("npm.log").filter((line) => line === "done")).toHaveLength(1);
  });

  test("an installation whose start was killed is waited for, not joined", async () => {
    const { start, lines } = smallProject();
    const killed = start({ NPM_TAKES: "2500" });
    await killed.until(/Installing/);
    while (lines("npm.log").length === 0) await sleep(50);
    killed.child.kill("SIGKILL");
    const said = await startAndStop(start());
    expect(said).toContain("waiting for it");
    expect(said).not.toContain("Installing");
    expect(lines("npm.log")).toHaveLength(2);
  });

  test("a changed lockfile is installed, changed screens are built", async () => {
    const { root, start, lines, write } = smallProject();
    await startAndStop(start());
    write("app/root.tsx", "// changed");
    expect(await startAndStop(start())).toMatch(/^Building[^\n]+\nBuilt[^\n]+\nPostcard is ready/);
    write("package-lock.json", lockfile("1.0.1"));
    // The stand-in still installs 1.0.0, which our own stamp takes on trust.
    expect(await startAndStop(start())).toContain("Installing");
    rmSync(join(root, "node_modules"), { recursive: true });
    expect(await startAndStop(start())).toContain("Installing");
    expect(lines("npm.log").filter((line) => line === "done")).toHaveLength(3);
  });

  test("an installation that fails is one sentence without addresses", async () => {
    const run = smallProject().start({ NPM_FAILS: "1" });
    expect(await run.ended).toBe(1);
    expect(run.said().split("\n").slice(1).join("\n")).toBe(
      "Installing failed. Is this machine online? npm says: code E404; 404 at the registry\n",
    );
  });

  test.skipIf(ordinaryUser === null)(
    "a user who may not write there reads whom to ask",
    async () => {
      const { root, start } = smallProject();
      const run = start({}, undefined, ordinaryUser as number);
      expect(await run.ended).toBe(1);
      expect(run.said()).toContain(`this user may not write in ${root}`);
    },
  );

  test.skipIf(ordinaryUser === null)(
    "after npm run build a user who may only read the folder starts it, and writes nothing there",
    async () => {
      const { root, start } = smallProject();
      const prepared = start({}, [process.execPath, "scripts/build.mjs"]);
      expect(await prepared.ended).toBe(0);
      expect(prepared.said()).toMatch(
        /^Installing[^\n]+\nInstalled[^\n]+\nBuilding[^\n]+\nBuilt[^\n]+\n$/,
      );
      const files = () => readdirSync(root, { recursive: true }).toSorted();
      const before = files();
      const run = start({ WRITES_NOTHING: "1" }, undefined, ordinaryUser as number);
      expect(await startAndStop(run)).toBe(ready);
      expect(files()).toEqual(before);
    },
  );

  test("stopping in the middle of the installation stops it", async () => {
    const { start, lines } = smallProject();
    const run = start({ NPM_TAKES: "60000" });
    while (lines("npm.log").length === 0) await sleep(50);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });
});

describe("npm start keeps the server running", () => {
  test("starts a server that died again, each time after a longer pause", async () => {
    const { start, lines } = smallProject();
    const run = start({ DIES_AFTER: "100" });
    while (lines("starts.log").length < 5) await sleep(50);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(run.said()).toContain("The server was killed (SIGKILL). It is started again at once.");
    const times = lines("starts.log").map(Number);
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    // 250, 500, 1000 and 2000 ms after it died; noise only makes them longer.
    for (const [index, least] of [250, 500, 1000, 2000].entries()) {
      expect(pauses[index]).toBeGreaterThan(least);
    }
  });

  test("replaces a server that hangs, three times at most, then leaves it and says so once", async () => {
    const { root, start, lines, write } = smallProject();
    write(
      "patience.mjs",
      'import { bounds } from "./scripts/lib/watchdog.mjs"; bounds.lookMs = 50;',
    );
    const patience = `--import "${join(root, "patience.mjs")}"`;
    const run = start({ HANGS: "1", NODE_OPTIONS: patience });
    await run.until(/It is left alone/);
    await sleep(3000);
    expect(lines("starts.log")).toHaveLength(4);
    expect(run.complained().match(/nothing for 1 s\. It is replaced\.$/gm)).toHaveLength(3);
    expect(run.complained().match(/left alone/g)).toHaveLength(1);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });

  test("does not repeat a first start that failed, and leaves it its own sentence", async () => {
    const { start, lines } = smallProject();
    await startAndStop(start());
    const run = start({ FAILS: "1" });
    expect(await run.ended).toBe(1);
    expect(run.said()).toBe("PORT is taken.\n");
    expect(lines("starts.log")).toHaveLength(2);
  });

  test("ends after SIGTERM, whatever the server does", async () => {
    const run = smallProject().start({ STUBBORN: "1" });
    await run.until(/Postcard is ready/);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });

  test("ends with code 0 when the signal goes to npm itself", async () => {
    const { start } = smallProject();
    await startAndStop(start());
    const run = start({}, ["npm", "start"]);
    await run.until(/Postcard is ready/);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });

  test("ends when the npm that started it is gone", async () => {
    const { start } = smallProject();
    await startAndStop(start());
    const run = start({}, ["npm", "start"]);
    await run.until(/Postcard is ready/);
    const supervisor = childOf(run.child.pid as number);
    run.child.kill("SIGKILL");
    for (let waited = 0; isAlive(supervisor) && waited < 60_000; waited += 100) await sleep(100);
    expect(isAlive(supervisor)).toBe(false);
  });
});

function childOf(pid: number): number {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const child = pairs.find(([, parent]) => parent === pid)?.[0];
  if (!child) throw new Error(`${pid} has no child`);
  return child;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
