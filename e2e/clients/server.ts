import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostcard } from "../support/postcard-server.ts";

export const scopes = "read write follow push";
export const password = "correct horse battery";

/** What a run of a third-party suite has: its own Postcard, and a folder for downloads. */
export type Suite = {
  url: string;
  /** the port it listens on; `url` is its public address */
  local: string;
  folder: string;
};

/**
 * Starts a Postcard on an empty data folder, lets a suite run against it, and removes both. `absent` is the
 * reason why the client is missing: it is printed, and nothing fails.
 */
export async function runSuite(
  name: string,
  absent: () => Promise<string | null>,
  run: (suite: Suite) => Promise<number>,
  settings = (port: string): NodeJS.ProcessEnv => ({
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
  }),
): Promise<void> {
  const reason = await absent();
  if (reason) {
    console.log(`${name} was not run: ${reason}`);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "postcard-suite-"));
  try {
    // Every address in its answers has to be one that the client can reach.
    const port = String(await freePort());
    const server = await startPostcard(settings(port));
    try {
      const local = `http://127.0.0.1:${port}`;
      process.exitCode = await run({ url: server.url, local, folder });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Resolves with the program's exit code; its output is ours. */
export async function program(
  command: string,
  words: string[],
  { cwd, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

/** Whether a program is installed and succeeds. */
export async function succeeds(command: string, words: string[]): Promise<boolean> {
  const child = spawn(command, words, { stdio: "ignore" });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

/** Unpacks one version of a repository: `source` is a folder with a clone, or its address. */
export async function unpack(source: string, version: string, folder: string): Promise<void> {
  const words = ["clone", "--quiet", "--depth", "1", "--branch", version];
  // Cloning a folder ignores a depth, unless it is given as an address.
  const address = source.startsWith("/") ? `file://${source}` : source;
  if ((await program("git", [...words, address, folder])) !== 0)
    throw new Error(`${version} cannot be cloned from ${source}.`);
}

/** An app, and accounts it signed up: the email of each ends in a number. */
export async function appWithAccounts(url: string, usernames: string[]) {
  const app = await post(url, "/api/v1/apps", {
    client_name: "A suite of others",
    redirect_uris: "urn:ietf:wg:oauth:2.0:oob",
    scopes,
  });
  const { client_id, client_secret } = app;
  const own = await post(url, "/oauth/token", {
    grant_type: "client_credentials",
    client_id,
    client_secret,
    scope: scopes,
  });
  const people: Record<string, string>[] = [];
  for (const username of usernames)
    people.push(
      await post(
        url,
        "/api/v1/accounts",
        { username, email: `${username}@example.org`, password, agreement: true, locale: "en" },
        own["access_token"],
      ),
    );
  return { app, people };
}

async function post(url: string, path: string, body: object, token?: string) {
  const answer = await fetch(new URL(path, url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

/** The folder of this file, with the files that a suite needs. */
export const here = fileURLToPath(new URL(".", import.meta.url));
