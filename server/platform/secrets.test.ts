import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadSecrets } from "#server/platform/data-dir.ts";
import type { Database } from "#server/platform/db/database.ts";
import { readInstallation } from "#server/platform/db/installation-row.ts";
import { hasAccounts } from "#server/features/people/index.ts";
import { openSecrets, renewSecrets } from "#server/platform/secrets.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";

let db: Database;
const folder = mkdtempSync(join(tmpdir(), "postcard-secrets-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, `${name}.json`);

beforeAll(async () => {
  ({ db } = await freshDatabase());
});

test("all servers of a database have the secrets of the first", async () => {
  const own = await openSecrets(file("own"), db, hasAccounts);
  expect(await openSecrets(file("own"), db, hasAccounts)).toEqual(own);
  const { secretsHash } = await readInstallation(db);
  expect(JSON.stringify(own)).not.toContain(secretsHash?.toString("base64url"));

  await expect(openSecrets(file("missing"), db, hasAccounts)).rejects.toThrow(
    "but the database is in use",
  );
  expect(existsSync(file("missing"))).toBe(false);
  loadSecrets(file("others"));
  await expect(openSecrets(file("others"), db, hasAccounts)).rejects.toThrow(
    "does not fit the database",
  );
  expect(await openSecrets(file("own"), db, hasAccounts)).toEqual(own);
});

test("new secrets replace those that were lost", async () => {
  const made = await renewSecrets(file("new"), db);
  expect(await openSecrets(file("new"), db, hasAccounts)).toEqual(made);
  await expect(openSecrets(file("own"), db, hasAccounts)).rejects.toThrow(
    "does not fit the database",
  );
});

test("a file that cannot be made is named", async () => {
  const { db: empty } = await freshDatabase();
  const nowhere = join(folder, "no", "folder.json");
  await expect(openSecrets(nowhere, empty, hasAccounts)).rejects.toThrow(
    `The secrets should be kept in ${nowhere}, but writing there fails (ENOENT).`,
  );
});
