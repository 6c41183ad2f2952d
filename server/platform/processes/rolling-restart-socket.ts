import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";

const socketName = "roll.sock";
/** A socket's address holds 103 bytes on macOS and 107 on Linux. */
const longestAddress = 103;

/** The result of a rolling restart: `failed` says in one sentence why it was not finished. */
type Outcome = { failed: string | null };

/**
 * Starts a rolling restart for anybody who may open the socket in DATA_DIR, which is this user only:
 * connecting is enough, and the answer comes when the restart is over. Returns a function that stops
 * listening.
 */
export function listenForRolls(
  dataDir: string,
  roll: () => Promise<void>,
  log: Pick<Logger, "info" | "error" | "warn">,
): () => void {
  const path = join(dataDir, socketName);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.on("close", () => clients.delete(client));
    void outcomeOf().then((outcome) => client.end(JSON.stringify(outcome)));
  });
  async function outcomeOf(): Promise<Outcome> {
    log.info("rolling over to new processes");
    try {
      await roll();
      log.info("the roll is over");
      return { failed: null };
    } catch (error) {
      const failed = (error as Error).message;
      log.error({ reason: failed }, "the roll was not finished");
      return { failed };
    }
  }
  server.on("error", (error) => log.warn({ err: error }, "nobody can ask for a roll"));
  // Left by a process that was killed; the folder is ours.
  rmSync(path, { force: true });
  atShortPath(dataDir, (short) => server.listen(short));
  if (server.listening) chmodSync(path, 0o600);
  return () => {
    server.close();
    for (const client of clients) client.destroy();
    rmSync(path, { force: true });
  };
}

/** Null if no server of several processes runs on the folder. */
export async function askForRoll(dataDir: string): Promise<Outcome | null> {
  const client = atShortPath(dataDir, (short) => connect(short));
  try {
    const said = await text(client);
    return said ? (JSON.parse(said) as Outcome) : { failed: "Postcard ended before it was done." };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ECONNREFUSED"].includes(code)) return null;
    throw new Error(`The Postcard of ${dataDir} cannot be asked (${code}): are you its user?`, {
      cause: error,
    });
  }
}

/** If the path of a folder is too long for a socket, it is reached through a temporary link. */
function atShortPath<T>(dataDir: string, use: (path: string) => T): T {
  const path = join(dataDir, socketName);
  if (Buffer.byteLength(path) <= longestAddress) return use(path);
  const folder = mkdtempSync(join(tmpdir(), "pc-"));
  try {
    symlinkSync(dataDir, join(folder, "d"));
    return use(join(folder, "d", socketName));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
