import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { generate } from "selfsigned";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { writeMail } from "#server/adapters/mail/write-mail.ts";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import { createDiskFiles } from "#server/adapters/private-files/disk.ts";
import type { Database } from "#server/platform/db/database.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { freshDatabase } from "#server/test/database.ts";
import { openMailbox as open, outboxOf } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";

let db: Database;
const folder = mkdtempSync(join(tmpdir(), "postcard-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  ({ db } = await freshDatabase());
});

async function openMailbox(options?: Parameters<typeof open>[0]) {
  const mailbox = await open(options);
  onTestFinished(mailbox.close);
  return mailbox;
}

const logged: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });

const mailFrom = { name: "Our Town", address: "photos@example.org" };

function mailTo(smtpUrl: string | null, from = mailFrom) {
  const jobs = createJobs({ db, log });
  const mail = openMail({
    config: { smtpUrl, mailFrom: from },
    files: createDiskFiles({ dataDir: folder }),
    jobs,
    log,
  });
  return { ...mail, jobs };
}

const mail = writeMail({
  to: { address: "ada@example.org", name: "Ada <Lovelace> & Co" },
  language: "en",
  subject: "Choose a new password",
  paragraphs: ["Somebody asked for a new password.", "", "The link works once."],
  action: { label: "Choose a new password", url: "https://photos.example.org/signIn/reset/abc" },
  otherwise: "If this was not you, do nothing.",
  site: "Our Town",
  publicUrl: "https://photos.example.org",
});

describe("an email", () => {
  test("arrives in both forms with the same words, a visible link and nothing to fetch", async () => {
    const mailbox = await openMailbox();
    const { send, close } = mailTo(mailbox.url);
    await send(mail);
    close();
    const [got, ...others] = mailbox.received;
    expect(others).toEqual([]);
    expect(got?.envelope).toEqual({ from: "photos@example.org", to: ["ada@example.org"] });
    expect(got?.from).toEqual({ name: "Our Town", address: "photos@example.org" });
    expect(got?.to).toEqual([{ name: "Ada <Lovelace> & Co", address: "ada@example.org" }]);
    expect(got?.subject).toBe("Choose a new password");
    expect(got?.messageId).toMatch(/^<[0-9a-f-]{36}@example\.org>$/);
    expect(Math.abs(Date.parse(got?.date ?? "") - Date.now())).toBeLessThan(3_600_000);
    const header = (key: string) => got?.headers.find((one) => one.key === key)?.value;
    expect(header("auto-submitted")).toBe("auto-generated");
    expect(got?.text?.replaceAll("\r\n", "\n").trimEnd()).toBe(mail.text);
    expect(mail.text).toBe(
      "Hello \u2068Ada <Lovelace> & Co\u2069,\n\nSomebody asked for a new password.\n\n" +
        "The link works once.\n\n" +
        "Choose a new password:\nhttps://photos.example.org/signIn/reset/abc\n\n" +
        "If this was not you, do nothing.\n\n" +
        "Our Town at photos.example.org\nhttps://photos.example.org",
    );
    const html = got?.html ?? "";
    expect(html).toContain("Ada &lt;Lovelace&gt; &amp; Co");
    expect(html).not.toMatch(/<(img|script|link|iframe|object)|url\(|@import|<Lovelace>/i);
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    expect(new Set(addresses)).toEqual(
      new Set(["https://photos.example.org", "https://photos.example.org/signIn/reset/abc"]),
    );
    expect(html).toContain(">https://photos.example.org/signIn/reset/abc</a>");
  });

  test("comes with the site's name if MAIL_FROM has none", async () => {
    const mailbox = await openMailbox();
    const { send, close } = mailTo(mailbox.url, { ...mailFrom, name: "" });
    await send({ ...mail, place: "Harbour Street" });
    close();
    expect(mailbox.received[0]?.from).toEqual({
      name: "Harbour Street",
      address: mailFrom.address,
    });
  });

  test("isolates a name written from right to left", async () => {
    const mailbox = await openMailbox();
    const { send, close } = mailTo(mailbox.url);
    const to = { address: "shira@example.org", name: "שירה כהן" };
    const site = { site: "Our Town", publicUrl: "http://a.example" };
    const words = { language: "en", subject: "שלום", paragraphs: [], otherwise: "", ...site };
    await send(writeMail({ to, ...words }));
    close();
    expect(mailbox.received[0]?.to).toEqual([{ ...to }]);
    expect(mailbox.received[0]?.subject).toBe("שלום");
    expect(mailbox.received[0]?.html).toContain("Hello <bdi>שירה כהן</bdi>,");
    expect(mailbox.received[0]?.text).toContain("Hello \u2068שירה כהן\u2069,");
  });

  test("says what all emails say in its reader's language and direction", () => {
    const { text, html } = writeMail({
      to: { address: "ada@example.org", name: "Ada" },
      language: "ar",
      subject: "رسالة",
      paragraphs: ["A sentence that nobody translated."],
      action: { label: "تأكيد", url: "https://a.example/verify" },
      otherwise: "",
      site: "Our Town",
      publicUrl: "https://a.example",
    });
    expect(text).toMatch(/^مرحبًا \u2068Ada\u2069،\n/);
    expect(text).toContain("Our Town على a.example");
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<p dir="auto" style="margin:0 0 16px">A sentence');
    expect(html).toContain("أو انسخ هذا العنوان:");
    expect(html).toContain('Our Town على <a href="https://a.example">a.example</a>');
  });

  test.each([
    ["address", { to: { address: "ada@example.org\r\nBcc: all@example.org" } }],
    ["address", { to: { address: "ada@example.org, all@example.org" } }],
    ["address", { to: { address: "<ada@example.org>" } }],
    ["address", { to: { address: "ada" } }],
    ["name", { to: { address: "ada@example.org", name: "Ada\r\nBcc: all@example.org" } }],
    ["name", { to: { address: "ada@example.org", name: "Ada\nX: y" } }],
    ["name", { to: { address: "ada@example.org", name: "Ada\u2028X: y" } }],
    ["subject", { subject: "Hello\r\nBcc: all@example.org\r\n\r\nAnother letter" }],
    ["subject", { subject: "Hello\0" }],
  ])("whose %s would be more than one header is refused: %o", async (_part, change) => {
    const mailbox = await openMailbox();
    const { send, queue, jobs, close } = mailTo(mailbox.url);
    await expect(send({ ...mail, ...change })).rejects.toThrow(/^An email's /);
    await expect(queue({ ...mail, ...change })).rejects.toThrow(/^An email's /);
    await jobs.runDue();
    close();
    expect(mailbox.received).toEqual([]);
  });
});

describe("a queued email", () => {
  test("goes out after the commit, once, and never after a rollback", async () => {
    const mailbox = await openMailbox();
    const { queue, jobs, close } = mailTo(mailbox.url);
    const failing = db.transaction(async () => {
      await queue({ ...mail, subject: "never" });
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await db.transaction(async () => {
      await queue(mail);
      await jobs.runDue();
      expect(mailbox.received).toEqual([]);
    });
    expect(await jobs.runDue()).toEqual({ done: 1, failed: [] });
    await jobs.runDue({ later: true });
    close();
    expect(mailbox.received.map(({ subject }) => subject)).toEqual([mail.subject]);
  });

  test("is tried again with the same id, and the log names nobody", async () => {
    let refusals = 0;
    const seen: string[] = [];
    const mailbox = await openMailbox({
      onRcptTo(address, _session, done) {
        refusals += 1;
        if (refusals > 1) return done();
        done(Object.assign(new Error(`No such user ${address.address}`), { responseCode: 450 }));
      },
    });
    logged.length = 0;
    const { queue, jobs, close } = mailTo(mailbox.url);
    await queue(mail);
    const [job] = await query<{ id: string }>(
      db,
      "select data->>'id' as id from pgboss.job where name = 'mail.send' order by created_on desc",
    );
    expect((await jobs.runDue()).failed).toHaveLength(1);
    seen.push(...logged);
    expect((await jobs.runDue({ later: true })).done).toBe(1);
    close();
    expect(mailbox.received[0]?.messageId).toBe(`<${job?.id}@example.org>`);
    expect(seen.join("\n")).toMatch(/No such user <email>.*a job failed/);
    expect(seen.join("\n")).not.toContain("ada@");
  });
});

describe("the address decides about TLS", async () => {
  // a certificate that nobody knows
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
  const certificate = { key, cert };

  test("smtps:// uses it from the first byte and requires a trusted certificate", async () => {
    const mailbox = await openMailbox({ ...certificate, secure: true });
    const address = `smtps://127.0.0.1:${mailbox.port}`;
    const careful = mailTo(address);
    await expect(careful.send(mail)).rejects.toThrow(/self.signed/i);
    careful.close();
    expect(mailbox.received).toEqual([]);
    const { send, close } = mailTo(`${address}?tls.rejectUnauthorized=false`);
    await send(mail);
    close();
    expect(mailbox.received[0]?.secure).toBe(true);
  });

  test("smtp:// uses STARTTLS if it is offered, and signs in with the credentials of the address", async () => {
    const users: string[] = [];
    const mailbox = await openMailbox({
      ...certificate,
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        users.push(`${username}:${password}`);
        done(null, { user: username ?? "" });
      },
    });
    const address = `smtp://ada%40town:p%3Aw@127.0.0.1:${mailbox.port}`;
    const { send, close } = mailTo(`${address}?tls.rejectUnauthorized=false`);
    await send(mail);
    close();
    expect(users).toEqual(["ada@town:p:w"]);
    expect(mailbox.received[0]?.secure).toBe(true);
  });
});

describe("without a mail server", () => {
  test("emails are files of this user only, named in the log without anybody's address", async () => {
    logged.length = 0;
    const { send, leaves } = mailTo(null);
    expect(leaves).toBe(false);
    await send(mail);
    const outbox = join(folder, "outbox");
    const [name = "", ...others] = readdirSync(outbox);
    expect(others).toEqual([]);
    expect(name).toMatch(/^\d{8}T\d{6}-\d{3}Z-[0-9a-f]{8}\.eml$/);
    expect(statSync(join(outbox, name)).mode & 0o777).toBe(0o600);
    expect(statSync(outbox).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(outbox, name), "utf8")).toMatch(
      /^From: Our Town <photos@example.org>\r\n/m,
    );
    expect((await outboxOf(folder))[0]?.text?.replaceAll("\r\n", "\n").trimEnd()).toBe(mail.text);
    expect(logged.join("")).toContain(join(outbox, name));
    expect(logged.join("")).not.toContain("ada@");
  });

  test("files are removed after a week, and nothing else is", async () => {
    const { send, sweep } = mailTo(null);
    const outbox = join(folder, "outbox");
    await send(mail);
    const [old = "", young = ""] = readdirSync(outbox);
    const age = (name: string, days: number) => {
      const then = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(outbox, name), then, then);
    };
    age(old, 8);
    age(young, 6);
    await sweep();
    expect(readdirSync(outbox)).toEqual([young]);
  });
});
