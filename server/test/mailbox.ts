import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { callbackify } from "node:util";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { namesIn } from "#server/test/traces.ts";

export type Received = Email & {
  /** the addresses of the SMTP session, whatever the headers say */
  envelope: { from: string; to: string[] };
  secure: boolean;
};

/** A mail server on loopback that accepts all mail until `close`. */
export async function openMailbox(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const take = async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        const envelope = { from, to: rcptTo.map(({ address }) => address) };
        const mail = await PostalMime.parse(await buffer(stream));
        received.push({ ...mail, envelope, secure: session.secure });
      };
      callbackify(take)(done);
    },
    ...options,
  });
  // a client that disconnects early is no failure of the test
  server.on("error", () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(resolve);
    });
  const { port } = server.server.address() as { port: number };
  return { received, port, close, url: `smtp://127.0.0.1:${port}` };
}

/** The mails in the outbox among these files, oldest first. */
export async function emailsIn(files: Pick<PrivateFiles, "list" | "open">): Promise<Email[]> {
  const emails: Email[] = [];
  for (const name of await namesIn(files, "outbox/")) {
    const file = await files.open(name);
    if (file) emails.push(await PostalMime.parse(await buffer(file.read())));
  }
  return emails;
}

/** The mails in a data folder's outbox, oldest first. */
export async function outboxOf(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, "outbox");
  const names = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return Promise.all(
    names.sort().map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
  );
}

/** The one address a mail asks its reader to open. */
export function linkIn(email: Pick<Email, "text"> | undefined): string {
  const found = /^https?:\/\/\S+\/\S+$/m.exec(email?.text ?? "");
  if (!found) throw new Error(`No link stands in: ${email?.text}`);
  return found[0];
}
