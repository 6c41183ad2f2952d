import { mkdirSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Logger } from "pino";
import { composed } from "#server/adapters/mail/compose.ts";
import type { MailTransport } from "#server/adapters/mail/mail.ts";

/** A letter nobody fetched is no use any more: its links have long run out. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Letters as files in DATA_DIR/outbox, one .eml each, for an installation without a mail server:
 * the operator passes them on. They hold links that sign people in, so only this user reads them.
 */
export function outboxTransport(deps: {
  dataDir: string;
  log: Pick<Logger, "info">;
}): MailTransport {
  const folder = join(deps.dataDir, "outbox");
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

  async function deliver(letter: Parameters<MailTransport["deliver"]>[0]): Promise<void> {
    const { message } = await composer.sendMail(composed(letter));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().replaceAll(/[-:]/g, "").replace(".", "-");
    const name = `${time}-${letter.messageId.slice(1, 9)}.eml`;
    // whoever watches the folder never sees half a letter
    const draft = join(folder, `.${name}`);
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(message);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
    deps.log.info({ file: join(folder, name) }, "SMTP_URL is empty: a mail was written to a file");
  }

  /** Removes letters older than a week. */
  async function sweep(): Promise<void> {
    const names = await readdir(folder).catch(() => [] as string[]);
    for (const name of names.filter((name) => name.endsWith(".eml"))) {
      const file = join(folder, name);
      const written = await stat(file).catch(() => null);
      if (written && Date.now() - written.mtimeMs > keptMs) await rm(file, { force: true });
    }
  }

  return { deliver, sweep, close: () => {} };
}
