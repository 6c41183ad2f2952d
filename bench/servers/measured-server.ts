import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Installation } from "../installation.ts";
import type { Usage } from "./report-usage.ts";

/** A server in its own process that reports CPU time and memory on request. */
export type MeasuredServer = {
  url: string;
  pid: number;
  usage: () => Promise<Usage>;
  /** The same after a garbage collection. */
  settledUsage: () => Promise<Usage>;
  /** Sends something to a control over its channel. */
  send: (message: object) => void;
  stop: () => Promise<void>;
};

/** Clients with streams, in their own process. */
export type StreamClients = {
  /** @throws when a stream is refused */
  open: (streams: readonly { url: string; cookie: string }[]) => Promise<void>;
  count: () => Promise<{ events: number; bytes: number }>;
  close: () => Promise<void>;
  stop: () => Promise<void>;
};

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const patience = 60_000;

/**
 * Postcard itself, as `npm start` runs it (its log lines are written and thrown away), with `settings` added
 * to its environment; of this folder, or of one with another commit.
 */
export async function startPostcard(
  installation: Installation,
  settings: Record<string, string> = {},
  folder = fromHere("../.."),
): Promise<MeasuredServer> {
  const port = await freePort();
  return startMeasured(join(folder, "server/main.ts"), port, {
    HOST: "127.0.0.1",
    DATA_DIR: installation.dataDir,
    DATABASE_URL: installation.databaseUrl,
    RATE_LIMITS: "off",
    // The cost of one process; usage() would not see that of others.
    PROCESSES: "1",
    ...settings,
  });
}

/** A server to compare with; it reads `settings` from the variable BENCH and listens on PORT. */
export async function startControl(
  name: "bare-feed" | "bare-page" | "bare-stream" | "bare-writes",
  settings: object,
): Promise<MeasuredServer> {
  return startMeasured(fromHere(`./${name}.ts`), await freePort(), {
    BENCH: JSON.stringify(settings),
  });
}

export async function startStreamClients(): Promise<StreamClients> {
  const child = forkNode(fromHere("./stream-clients.ts"), {});
  await message(child, "ready");
  const ask = <Answer>(question: object, key: string) => {
    const answer = message<Answer>(child, key);
    child.send(question);
    return answer;
  };
  return {
    async open(streams) {
      const { opened, reason } = await ask<{ opened: number; reason?: string }>(
        { open: streams },
        "opened",
      );
      if (opened < 0) throw new Error(reason);
    },
    count: async () =>
      (await ask<{ counted: { events: number; bytes: number } }>({ count: true }, "counted"))
        .counted,
    close: async () => void (await ask({ close: true }, "closed")),
    stop: () => end(child),
  };
}

async function startMeasured(
  path: string,
  port: number,
  variables: Record<string, string>,
): Promise<MeasuredServer> {
  const child = forkNode(path, { ...variables, PORT: String(port) });
  await message(child, "ready");
  const usage = async (question: "usage" | "settled-usage") => {
    const answer = message<{ usage: Usage }>(child, "usage");
    child.send(question);
    return (await answer).usage;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    usage: () => usage("usage"),
    settledUsage: () => usage("settled-usage"),
    send: (told) => void child.send(told),
    stop: () => end(child),
  };
}

function forkNode(path: string, variables: Record<string, string>): ChildProcess {
  return fork(path, {
    execArgv: [
      "--expose-gc",
      "--max-semi-space-size=16",
      "--heap-growing-percent=100",
      "--import",
      fromHere("./report-usage.ts"),
    ],
    // as scripts/lib/supervise.mjs starts the server
    env: { MALLOC_ARENA_MAX: "2", ...variables, PATH: process.env.PATH, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
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
