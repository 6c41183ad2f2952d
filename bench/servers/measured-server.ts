import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Installation } from "../installation.ts";
import type { Usage } from "./report-usage.ts";

/** A server in a process of its own, whose CPU time and memory can be asked for. */
export type MeasuredServer = {
  url: string;
  usage: () => Promise<Usage>;
  stop: () => Promise<void>;
};

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const patience = 60_000;

/**
 * Postcard itself, as `npm start` runs it (its log lines are written and thrown away), with
 * `settings` of its environment besides.
 */
export async function startPostcard(
  installation: Installation,
  settings: Record<string, string> = {},
): Promise<MeasuredServer> {
  const port = await freePort();
  return startMeasured("../../server/main.ts", port, {
    HOST: "127.0.0.1",
    DATA_DIR: installation.dataDir,
    DATABASE_URL: installation.databaseUrl,
    RATE_LIMITS: "off",
    ...settings,
  });
}

/** A server to compare with; it reads `settings` from the variable BENCH and listens on PORT. */
export async function startControl(
  name: "bare-feed" | "bare-page",
  settings: object,
): Promise<MeasuredServer> {
  return startMeasured(`./${name}.ts`, await freePort(), { BENCH: JSON.stringify(settings) });
}

async function startMeasured(
  path: string,
  port: number,
  variables: Record<string, string>,
): Promise<MeasuredServer> {
  const child = fork(file(path), {
    execArgv: ["--import", file("./report-usage.ts")],
    env: { ...variables, PATH: process.env.PATH, NODE_ENV: "production", PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await message(child, "ready");
  return {
    url: `http://127.0.0.1:${port}`,
    usage: async () => {
      const answer = message<{ usage: Usage }>(child, "usage");
      child.send("usage");
      return (await answer).usage;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The next message that has `key`; rejects when the process ends or says nothing for a minute. */
function message<Message>(child: ChildProcess, key: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => settle(() => reject(new Error("A server said nothing."))),
      patience,
    );
    const onExit = () => settle(() => reject(new Error("A server ended too early.")));
    const onMessage = (received: object) => {
      if (key in received) settle(() => resolve(received as Message));
    };
    function settle(finish: () => void) {
      clearTimeout(late);
      child.off("message", onMessage);
      child.off("exit", onExit);
      finish();
    }
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
