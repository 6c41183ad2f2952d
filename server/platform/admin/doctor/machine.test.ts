import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkMachine } from "#server/platform/admin/doctor/machine.ts";
import { checkMail } from "#server/platform/admin/doctor/mail.ts";
import { readConfig } from "#server/config.ts";
import { afterFile } from "#server/test/after-file.ts";
import { openMailbox } from "#server/test/mailbox.ts";
import { temporaryFolder } from "#server/test/processes.ts";

const folder = temporaryFolder();
const config = readConfig({ DATA_DIR: folder });

test("checks disks, secrets and the address before anything is opened", async () => {
  const secrets = join(folder, "secrets.json");
  writeFileSync(secrets, "{}", { mode: 0o644 });
  chmodSync(secrets, 0o644);
  const of = async (env: Record<string, string>, fix = false) =>
    (await checkMachine(readConfig({ DATA_DIR: folder, ...env }), fix)).filter(
      ({ state }) => state !== "ok",
    );
  expect(await of({})).toEqual([expect.objectContaining({ state: "problem", about: "Secrets" })]);
  expect(await of({}, true)).toEqual([
    expect.objectContaining({ state: "fixed", about: "Secrets" }),
  ]);
  expect(await of({})).toEqual([]);
  expect(await of({ PUBLIC_URL: "http://photos.example.org" })).toEqual([
    expect.objectContaining({ state: "problem", text: expect.stringContaining("isn't encrypted") }),
    expect.objectContaining({ state: "note", about: "Mail" }),
  ]);
  expect(await of({ HOST: "0.0.0.0" })).toEqual([
    expect.objectContaining({ state: "problem", about: "Address" }),
  ]);
});

test("signs in to the mail server and sends nothing", async () => {
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  const smtpUrl = mailbox.url;
  expect(await checkMail({ ...config, smtpUrl })).toEqual([
    expect.objectContaining({ state: "ok", about: "Mail" }),
  ]);
  expect(mailbox.received).toEqual([]);
  const [away] = await checkMail({ ...config, smtpUrl: "smtp://ada:hunter2@127.0.0.1:9" });
  expect(away).toMatchObject({ state: "problem", about: "Mail" });
  expect(away?.text).toContain("127.0.0.1:9 doesn't accept our emails");
  expect(away?.text).not.toContain("hunter2");
});
