import { createTransport } from "nodemailer";
import { nodemailerMessage } from "#server/adapters/mail/nodemailer-message.ts";
import type { MailTransport } from "#server/adapters/mail/mail.ts";
import { isLoopback } from "#server/platform/networks.ts";

const connections = 2;
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends emails through the server that SMTP_URL names. `smtps://` speaks TLS from the first byte, `smtp://`
 * asks for it by STARTTLS: without it no password is sent over a network, unless the address ends in
 * `?requireTLS=false`.
 */
export function smtpTransport(smtpUrl: string): MailTransport {
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    ...settingsFor(smtpUrl),
  });
  return {
    deliver: async (mail) => {
      await transport.sendMail(nodemailerMessage(mail)).catch((error: unknown) => {
        throw withoutAddresses(error);
      });
    },
    sweep: async () => {},
    close: () => transport.close(),
  };
}

/** Connects and signs in, and sends nothing. Throws what the mail server said, without emails. */
export async function checkSmtp(smtpUrl: string): Promise<void> {
  const transport = createTransport(settingsFor(smtpUrl));
  const verified = transport.verify().finally(() => transport.close());
  await verified.catch((error: unknown) => {
    throw new Error(answerIn(error), { cause: error });
  });
}

function settingsFor(smtpUrl: string) {
  const { hostname, username } = new URL(smtpUrl);
  return { requireTLS: username !== "" && !isLoopback(hostname), ...patience, url: smtpUrl };
}

/** The mail server's answer, for the log: it often repeats the recipient's address. */
function withoutAddresses(error: unknown): Error {
  const { code, command } = error as Error & { code?: string; command?: string };
  const step = command ? ` (${command})` : "";
  return Object.assign(new Error(`A mail did not go out: ${answerIn(error)}${step}`), { code });
}

const answerIn = (error: unknown) =>
  (error as Error).message.replace(/\S+/g, (word) => (word.includes("@") ? "<email>" : word));
