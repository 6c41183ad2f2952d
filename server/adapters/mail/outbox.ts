import { createTransport } from "nodemailer";
import type { Logger } from "pino";
import { nodemailerMessage } from "#server/adapters/mail/nodemailer-message.ts";
import type { MailTransport } from "#server/adapters/mail/mail.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";

/** An email that nobody fetched is of no use any more: its links have long expired. */
const retentionMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Emails as files, one .eml each, for an installation without a mail server: the operator passes them on. All
 * servers write to one outbox, in DATA_DIR or in the bucket of the images. They contain links that sign
 * people in, so only this user, or the owner of the bucket's keys, can read them.
 */
export function outboxTransport({
  files,
  log,
}: {
  files: Pick<PrivateFiles, "put" | "list" | "remove" | "locate">;
  log: Pick<Logger, "info">;
}): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  async function deliver(mail: Parameters<MailTransport["deliver"]>[0]): Promise<void> {
    const { message } = await composer.sendMail(nodemailerMessage(mail));
    const time = new Date().toISOString().replaceAll(/[-:]/g, "").replace(".", "-");
    const name = `outbox/${time}-${mail.messageId.slice(1, 9)}.eml`;
    // written in one step: a program that watches the outbox never sees half an email
    await files.put(name, message as Buffer);
    log.info({ file: files.locate(name) }, "SMTP_URL is empty: a mail was written to a file");
  }

  /** Removes emails older than a week. */
  async function sweep(): Promise<void> {
    for await (const batch of files.list("outbox/")) {
      const old = batch.filter(({ changed }) => Date.now() - changed.getTime() > retentionMs);
      await files.remove(old.map(({ name }) => name));
    }
  }

  return { deliver, sweep, close: () => {} };
}
