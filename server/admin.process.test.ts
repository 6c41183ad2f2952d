import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "#server/platform/admin/doctor/finding.ts";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { filesBelow } from "#server/test/traces.ts";
import { imagesOnDisk, storeEnvironment } from "#server/test/image-stores.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";

type Answer = { code: number | null; said: string; complained: string };

/** Runs one of the operator's commands on a data folder. */
async function admin(
  dataDir: string,
  ...given: [NodeJS.ProcessEnv, ...string[]] | string[]
): Promise<Answer> {
  const [first, ...rest] = given;
  const [env, words] = typeof first === "object" ? [first, rest] : [{}, given];
  const program = join(projectRoot, "server/admin.ts");
  const command = startProgram([process.execPath, program, ...words.map(String)], {
    env: { DATA_DIR: dataDir, PORT: "0", ...storeEnvironment(dataDir), ...env },
  });
  const code = await command.ended;
  return { code, said: command.said(), complained: command.complained() };
}

async function isSignedIn(address: string, cookie: string): Promise<boolean> {
  const { status } = await fetch(`${address}/profile`, { headers: { cookie } });
  return status === 200;
}

test(
  "the operator's commands act beside a running server, and without one",
  { timeout: 360_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir);
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const other = await signUp(address, "bob@example.org");
    expect(await isSignedIn(address, cookie)).toBe(true);

    // the doctor finds the server, and no problem except that there are no backups
    const healthy = await admin(dataDir, { PORT: new URL(address).port }, "doctor", "--json");
    expect(healthy).toMatchObject({ code: 0, complained: "" });
    const { findings } = JSON.parse(healthy.said) as { findings: Finding[] };
    expect(findings.filter(({ state }) => state !== "ok")).toEqual([
      expect.objectContaining({ state: "note", about: "Backups" }),
    ]);
    expect(findings).toContainEqual({
      state: "ok",
      about: "Server",
      text: expect.stringContaining("It answers at "),
    });

    // signed out by the next request
    const suspended = await admin(dataDir, "suspend", "ada@example.org");
    expect(suspended).toMatchObject({ code: 0, complained: "" });
    expect(suspended.said).toContain("@ada_lovelace is suspended");
    expect(await isSignedIn(address, cookie)).toBe(false);
    expect(await isSignedIn(address, other)).toBe(true);

    const listed = await admin(dataDir, "list", "--suspended", "--json");
    const { accounts } = JSON.parse(listed.said) as { accounts: { email: string }[] };
    expect(accounts.map(({ email }) => email)).toEqual(["ada@example.org"]);

    const link = await admin(dataDir, "reset-link", "bob@example.org");
    const [url = ""] = /http\S+/.exec(link.said) ?? [];
    expect((await fetch(url.replace(/^http:\/\/[^/]+/, address))).status).toBe(200);

    const deleted = await admin(dataDir, "delete", "ada@example.org", "--now", "--yes");
    expect(deleted).toMatchObject({ code: 0 });
    expect(deleted.said).toContain("@ada_lovelace and everything it had are deleted.");
    expect(await admin(dataDir, "show", "ada@example.org")).toMatchObject({
      code: 1,
      said: expect.stringContaining('No account has the address "ada@example.org".'),
    });
    expect(await isSignedIn(address, other)).toBe(true);

    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(postmasterOf(dataDir)).toBeNull();
    const shown = await admin(dataDir, "show", "bob@example.org");
    expect(shown).toMatchObject({ code: 0, complained: "" });
    expect(shown.said).toMatch(/^Email +bob@example\.org \(not verified\)$/m);
    // the database stopped with the command that started it
    expect(postmasterOf(dataDir)).toBeNull();

    const whole = await admin(dataDir, "check-pictures");
    expect(whole).toMatchObject({ code: 0, said: "1 pictures checked, no faults found.\n" });
    if (imagesOnDisk()) {
      const [original = ""] = await filesBelow(join(dataDir, "originals"));
      truncateSync(original, 100);
      const cut = await admin(dataDir, "check-pictures", "--json");
      expect(cut.code).toBe(1);
      expect(JSON.parse(cut.said)).toEqual({
        fault: "cut",
        area: "public",
        key: basename(original),
        file: "original",
      });
    }

    // with a stopped installation as well: a problem does not end the round
    const secrets = join(dataDir, "secrets.json");
    chmodSync(secrets, 0o644);
    const ill = await admin(dataDir, "doctor");
    expect(ill).toMatchObject({ code: 1, complained: "" });
    expect(ill.said).toMatch(/^problem {2}Secrets: Others on this machine can read/m);
    expect(ill.said).toMatch(/^note {5}Server: .*Is Postcard running\?$/m);
    if (imagesOnDisk()) expect(ill.said).toMatch(/^problem {2}Pictures: All 1 pictures /m);
    expect((await admin(dataDir, "doctor", "--fix")).said).toMatch(/^fixed {4}Secrets: /m);
    expect(statSync(secrets).mode & 0o777).toBe(0o600);

    // lost secrets are not replaced unless the command asks for it
    rmSync(secrets);
    const sentence = `${secrets} is missing, but the database is in use: put it back`;
    const refused = startServer(dataDir);
    expect(await refused.ended).toBe(1);
    expect(refused.complained()).toContain(sentence);
    expect(await admin(dataDir, "list")).toMatchObject({
      code: 1,
      complained: expect.stringContaining(sentence),
    });
    expect((await admin(dataDir, "doctor")).said).toContain(`problem  Installation: ${sentence}`);
    expect(existsSync(secrets)).toBe(false);
    const made = await admin(dataDir, "new-secrets");
    expect(made).toMatchObject({ code: 0, complained: "" });
    const kept = readFileSync(secrets, "utf8");
    expect(await admin(dataDir, "new-secrets")).toMatchObject({ code: 1 });
    expect(readFileSync(secrets, "utf8")).toBe(kept);
    expect(await admin(dataDir, "list")).toMatchObject({ code: 0 });
  },
);
