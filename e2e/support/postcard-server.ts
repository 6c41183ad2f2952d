import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { noteInstallation } from "./installation.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Cold start takes about a second; a busy machine may take much longer. */
const startMs = 60_000;

export type PostcardServer = {
  url: string;
  databaseUrl: string;
  dataDir: string;
  stop: () => Promise<void>;
};

/** The built product with its own empty data folder, on a free port; `settings` are variables. */
export async function startPostcard(settings: NodeJS.ProcessEnv = {}): Promise<PostcardServer> {
  const folder = await mkdtemp(join(tmpdir(), "postcard-story-"));
  const server = spawn(process.execPath, ["server/main.ts"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "test",
      PORT: "0",
      PUBLIC_URL: "",
      DATABASE_URL: "",
      DATA_DIR: join(folder, "data"),
      LOG_LEVEL: "warn",
      RATE_LIMITS: "off",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  const stop = async () => {
    server.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const socket = encodeURIComponent(join(folder, "data", "postgres", "socket"));
    const databaseUrl = `postgresql://postcard@localhost/postcard?host=${socket}`;
    const dataDir = join(folder, "data");
    const url = await readyAddress(server);
    noteInstallation(url, { databaseUrl, dataDir });
    return { url, databaseUrl, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address in `Postcard is ready at …`. */
function readyAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(
      () => reject(new Error(`The server did not start:\n${output}`)),
      startMs,
    );
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Postcard is ready at (\S+)/.exec(output)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    server.stdout?.on("data", hear);
    server.stderr?.on("data", hear);
    server.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with ${code}:\n${output}`));
    });
  });
}
