import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claimDataDir, loadSecrets } from "#server/platform/data-dir.ts";
import { startProgram, temporaryFolder } from "#server/test/processes.ts";

const claim = `
  const { claimDataDir } = await import("#server/platform/data-dir.ts");
  claimDataDir(process.argv[1]);
  console.log("claimed");
  setInterval(() => {}, 1000);
`;

function claimElsewhere(dataDir: string) {
  return startProgram([process.execPath, "--input-type=module", "-e", claim, dataDir]);
}

describe("the data folder", () => {
  test("is made readable only by its owner", () => {
    const dataDir = join(temporaryFolder(), "deep", "data");
    claimDataDir(dataDir).release();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "owner.lock")).mode & 0o777).toBe(0o600);
  });

  test("has one owner, and a new one as soon as that was killed", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = claimElsewhere(dataDir);
    await first.until(/claimed/);
    expect(() => claimDataDir(dataDir)).toThrow(
      `DATA_DIR is ${dataDir}, but another Postcard is using that folder already.`,
    );
    first.child.kill("SIGKILL");
    await first.ended;
    claimDataDir(dataDir).release();
  });

  test("of two starts at the same moment one wins", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const both = [claimElsewhere(dataDir), claimElsewhere(dataDir)];
    const first = await Promise.race(both.map(({ ended }) => ended));
    expect(first).toBe(1);
    const said = both.map((start) => start.said());
    expect(said).toContain("claimed\n");
    expect(said.join("")).toContain("another Postcard is using that folder already");
  });

  test("cannot be a file", () => {
    const file = join(temporaryFolder(), "data");
    writeFileSync(file, "");
    expect(() => claimDataDir(file)).toThrow(`DATA_DIR is ${file}, but that is not a folder.`);
    expect(() => claimDataDir(join(file, "below"))).toThrow("but that is not a folder.");
  });
});

describe("secrets", () => {
  test("are made once, private, and stay the same", () => {
    const file = join(temporaryFolder(), "secrets.json");
    const secrets = loadSecrets(file);
    expect(Buffer.from(secrets.authSecret, "base64url")).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecrets(file)).toEqual(secrets);
    const other = loadSecrets(join(temporaryFolder(), "secrets.json"));
    expect(other.authSecret).not.toBe(secrets.authSecret);
  });

  test("that cannot be read stop the start instead of being made again", () => {
    const file = join(temporaryFolder(), "secrets.json");
    writeFileSync(file, "{");
    expect(() => loadSecrets(file)).toThrow(`${file} cannot be read: put back the copy`);
    expect(readFileSync(file, "utf8")).toBe("{");
  });
});
