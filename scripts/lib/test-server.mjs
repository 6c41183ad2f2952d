import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { start } from "./children.mjs";
import { projectRoot } from "./project.mjs";

const startMs = 60_000;

/**
 * Starts a server on data of its own in `folder` and waits until it is ready.
 * Returns its address, its data folder, an address of its database and how to stop it.
 */
export async function startTestServer({ node, folder, env }) {
  const dataDir = join(folder, "data");
  const child = start(node, [join(projectRoot, "server", "main.ts")], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, PORT: "0", DATA_DIR: dataDir, RATE_LIMITS: "off", LOG_LEVEL: "warn" },
  });
  const log = createWriteStream(join(folder, "server.log"));
  child.stdout.pipe(log);
  child.stderr.pipe(log, { end: false });
  const url = await readyAddress(child);
  const socket = encodeURIComponent(join(dataDir, "postgres", "socket"));
  return {
    url,
    dataDir,
    databaseUrl: `postgresql://postcard@localhost/postcard?host=${socket}`,
    logFile: join(folder, "server.log"),
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function readyAddress(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk) => {
      said += chunk;
      const ready = /Postcard is ready at (\S+)/.exec(said);
      if (ready) resolve(ready[1]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The server did not start:\n${said.trim()}`)));
    setTimeout(
      () => reject(new Error(`The server is not ready:\n${said.trim()}`)),
      startMs,
    ).unref();
  });
}
