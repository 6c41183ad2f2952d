import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { saveFailedJob } from "#server/platform/db/failed-jobs.ts";
import { newId } from "#server/platform/db/ids.ts";
import { mailJobs } from "#server/features/identity/index.ts";
import { runAdmin } from "#server/test/admin-commands.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { temporaryFolder } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;
let admin: (...words: string[]) => Promise<string>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  const config = readConfig({
    NODE_ENV: "test",
    DATA_DIR: temporaryFolder(),
    BACKUP_DIR: temporaryFolder(),
  });
  admin = (...words) => runAdmin({ features: on, db, config }, ...words);
});

describe("log", () => {
  test("shows who did what to whom in pages, and no text in it moves the cursor", async () => {
    expect(await admin("log")).toBe("Nothing was done yet.\n");
    const [opal, ada] = [await on.member("Opal Operator"), await on.member("Ada Admitted")];
    await on.administration.setRole(opal.username, "operator");
    await on.administration.suspend(ada.id, { by: opal.id });
    await on.administration.record(null, "setting", { detail: "site-name: A\u001b[2J" });
    const [setting, suspended, role] = (await admin("log")).split("\n");
    expect(setting).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}command line {2}setting {2}site-name: A\[2J$/,
    );
    expect(suspended).toContain(`@${opal.username}  suspend  @${ada.username}`);
    expect(role).toContain(`command line  role  @${opal.username}  operator`);

    for (let n = 0; n < 30; n += 1) await on.administration.record(null, "reset-link");
    const [, after = ""] = /--after (\S+)\n$/.exec(await admin("log")) ?? [];
    expect(await admin("log", "--after", after)).toBe(`${[setting, suspended, role].join("\n")}\n`);
    expect(JSON.parse(await admin("log", "--json", "--after", after))).toMatchObject({
      entries: [{ act: "setting" }, { act: "suspend", accountId: ada.id }, { act: "role" }],
      after: null,
    });
  });
});

describe("status", () => {
  test("shows versions, disk space, backups and the last errors", async () => {
    await query(
      db,
      "insert into recent_errors (id, message, detail) values (gen_random_uuid(), 'a job was given up', 'Error X')",
    );
    const said = await admin("status");
    expect(said).toMatch(
      /^Versions {3}Postcard \S+, Node\.js \S+, PostgreSQL \d+\S*.*, schema \d{4}_/,
    );
    expect(said).toContain("Needs you  Email isn't set up.\n");
    expect(said).toMatch(/^Free {7}\d/m);
    expect(said).toContain("Backups    there is none yet\n");
    expect(said).toMatch(/^Error {6}\d.* {2}a job was given up {2}Error X$/m);
    expect(JSON.parse(await admin("status", "--json"))).toMatchObject({
      needs: expect.arrayContaining([expect.objectContaining({ about: "mail-off" })]) as unknown,
      backups: { list: [], trouble: "" },
      storage: { pictures: expect.any(Number) as number, database: expect.any(Number) as number },
    });
  });
});

describe("jobs", () => {
  beforeEach(() => on.jobs.runDue());

  test("shows jobs that wait and that failed for good, and retry-job runs one of these again, once", async () => {
    expect(await admin("jobs")).toBe("No jobs waiting, none failed.\n");
    const ada = await on.member("Ada Mailed");
    const id = newId();
    const job = { name: mailJobs.confirmAddress, data: { accountId: ada.id } };
    await saveFailedJob(db, { id, ...job, error: "the mail server\u001b[2J hung up" });
    expect(await admin("jobs")).toMatch(
      new RegExp(`^${id} {2}${job.name} {2}failed \\d.*: the mail server\\[2J hung up\n$`),
    );

    const before = (await emailsIn(on.files)).length;
    expect(await admin("retry-job", id)).toBe("It is tried again now, or once Postcard runs.\n");
    expect(await admin("jobs")).toBe(`${job.name}  1 waiting\n`);
    expect(JSON.parse(await admin("jobs", "--json"))).toMatchObject({
      waiting: [{ name: job.name, waiting: 1, late: 0 }],
      failed: [],
    });
    await on.jobs.runDue();
    expect(await emailsIn(on.files)).toHaveLength(before + 1);
    for (const gone of [id, "no-id"]) {
      await expect(admin("retry-job", gone)).rejects.toMatchObject({ code: "job-gone" });
    }
  });
});

describe("invitations", () => {
  test("shows who was invited, and withdraw ends a link for good", async () => {
    await on.dashboard.changeSettings(null, { "sign-up": "invitation" });
    expect(await admin("invitations")).toBe("There are none.\n");
    const note = { days: 7, count: 1, note: "Aunt May" };
    const [made] = await on.dashboard.invite(null, note);
    const listed = await admin("invitations");
    const [, id = ""] = /^(\S+) {2}until \d{4}-\d\d-\d\d {2}Aunt May\n$/.exec(listed) ?? [];
    expect(JSON.parse(await admin("invitations", "--json"))).toMatchObject({
      invitations: [{ id, used: false, note: "Aunt May" }],
      after: null,
    });
    expect(listed, "a code is told once").not.toContain(made?.code);
    await on.invitations.check(made?.code ?? "");

    expect(await admin("withdraw", id)).toBe("Withdrawn: its link makes no account any more.\n");
    expect(await admin("invitations")).toBe("There are none.\n");
    expect(await admin("log")).toContain("command line  invitation-withdrawn");
    await expect(on.invitations.check(made?.code ?? "")).rejects.toMatchObject({
      code: "invitation-required",
    });
    for (const gone of [id, "no-id"]) {
      await expect(admin("withdraw", gone)).rejects.toMatchObject({ code: "invitation-gone" });
    }
  });
});

describe("delete", () => {
  test("hides the account until the day of its deletion, and does not say that it was deleted", async () => {
    const ada = await on.member("Ada Leaving");
    const said = await admin("delete", ada.username, "--yes");
    expect(said).toMatch(
      new RegExp(`^@${ada.username} is hidden now .*\\nUntil then, .* signing in\\.\\n$`),
    );
    expect(await on.administration.find(ada.id)).toMatchObject({
      deletionDueAt: expect.any(Date) as Date,
    });
  });
});
