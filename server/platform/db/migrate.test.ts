import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "#server/platform/db/migrate.ts";
import { emptyDatabase } from "#server/test/database.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "postcard-migrations-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(directory, `${name}.sql`), text);
}

async function ask(connection: pg.ClientConfig, query: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

describe("bringing the database up to date", () => {
  test("applies every file once, in order", async () => {
    const connection = await emptyDatabase();
    write("0001_letters", "CREATE TABLE letters (letter text); INSERT INTO letters VALUES ('a')");
    write("0002_more", "INSERT INTO letters VALUES ('b')");
    expect(await migrate({ connection, directory })).toEqual(["0001_letters", "0002_more"]);
    expect(await migrate({ connection, directory })).toEqual([]);
    write("0003_end", "INSERT INTO letters SELECT max(letter) || 'z' FROM letters");
    expect(await migrate({ connection, directory })).toEqual(["0003_end"]);
    const rows = await ask(connection, "SELECT letter FROM letters");
    expect(rows).toEqual([{ letter: "a" }, { letter: "b" }, { letter: "bz" }]);
  });

  test("four processes at once apply each file once", async () => {
    const connection = await emptyDatabase();
    write("0001_counter", "CREATE TABLE counter (n integer); INSERT INTO counter VALUES (0)");
    for (const number of ["0002", "0003", "0004"]) {
      write(`${number}_up`, "UPDATE counter SET n = n + 1; SELECT pg_sleep(0.05)");
    }
    const done = await Promise.all([1, 2, 3, 4].map(() => migrate({ connection, directory })));
    expect(done.flat().sort()).toEqual(["0001_counter", "0002_up", "0003_up", "0004_up"]);
    expect(await ask(connection, "SELECT n FROM counter")).toEqual([{ n: 3 }]);
  });

  test("a migration that fails changes nothing and can be tried again", async () => {
    const connection = await emptyDatabase();
    write("0001_half", "CREATE TABLE half (n integer); SELECT 1 / 0");
    await expect(migrate({ connection, directory })).rejects.toThrow(
      "The migration 0001_half failed and changed nothing: division by zero.",
    );
    expect(await ask(connection, "SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    write("0001_half", "CREATE TABLE half (n integer)");
    expect(await migrate({ connection, directory })).toEqual(["0001_half"]);
  });
});

describe("refuses to go on", () => {
  test("when an applied migration's text changed", async () => {
    const connection = await emptyDatabase();
    write("0001_first", "SELECT 1");
    await migrate({ connection, directory });
    write("0001_first", "SELECT 1\r\n");
    await expect(migrate({ connection, directory })).rejects.toThrow(
      "The migration 0001_first is not the text that the database was made with",
    );
  });

  test("but not when only its line endings changed", async () => {
    const connection = await emptyDatabase();
    write("0001_first", "SELECT\n1\n");
    await migrate({ connection, directory });
    write("0001_first", "SELECT\r\n1\r\n");
    expect(await migrate({ connection, directory })).toEqual([]);
  });

  test("when the database is newer than the code", async () => {
    const connection = await emptyDatabase();
    write("0001_first", "SELECT 1");
    write("0002_second", "SELECT 2");
    await migrate({ connection, directory });
    rmSync(join(directory, "0002_second.sql"));
    await expect(migrate({ connection, directory })).rejects.toThrow(
      "The database is newer than this Postcard, which does not know its migration 0002_second",
    );
  });

  test("when a new migration would come before an applied one", async () => {
    const connection = await emptyDatabase();
    write("0002_second", "SELECT 2");
    await migrate({ connection, directory });
    write("0001_first", "SELECT 1");
    await expect(migrate({ connection, directory })).rejects.toThrow(
      "The migration 0001_first would come before 0002_second",
    );
  });

  test("when PostgreSQL cannot be reached", async () => {
    const connection = { host: "127.0.0.1", port: 1, user: "x", database: "x" };
    await expect(migrate({ connection, directory })).rejects.toThrow(
      /^PostgreSQL cannot be reached: .*ECONNREFUSED.*\.$/,
    );
  });
});

test("the product's own migrations run once on an empty database", async () => {
  const connection = await emptyDatabase();
  expect((await migrate({ connection })).length).toBeGreaterThan(0);
  expect(await migrate({ connection })).toEqual([]);
});
