import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

export type Installation = { databaseUrl: string; dataDir: string };

/** The database and folder of each server that stories run against, by its address. */
const installations = new Map<string, Installation>();
const { POSTCARD_URL, POSTCARD_DATABASE_URL = "", POSTCARD_DATA_DIR = "" } = process.env;
if (POSTCARD_URL) {
  noteInstallation(POSTCARD_URL, {
    databaseUrl: POSTCARD_DATABASE_URL,
    dataDir: POSTCARD_DATA_DIR,
  });
}

export function noteInstallation(url: string, installation: Installation): void {
  installations.set(url, installation);
}

export function installationAt(url: string): Installation {
  const installation = installations.get(url);
  if (!installation) throw new Error(`No story started the server at ${url}`);
  return installation;
}

/** One statement on the database of the server at `url`, and its rows. */
export async function query<Row extends object>(
  url: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: installationAt(url).databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A new session's token, and the Cookie header that a browser sends with it. */
export function sessionCookie({ dataDir }: Installation): { token: string; cookie: string } {
  const { authSecret } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as {
    authSecret: string;
  };
  const token = randomBytes(32).toString("base64url");
  const signature = createHmac("sha256", authSecret).update(token).digest("base64");
  return { token, cookie: `postcard.session=${encodeURIComponent(`${token}.${signature}`)}` };
}
