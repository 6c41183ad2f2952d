import { createTransport } from "nodemailer";
import { composed } from "#server/adapters/mail/compose.ts";
import type { MailTransport } from "#server/adapters/mail/mail.ts";

const connections = 2;
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Letters through the server that SMTP_URL names. `smtps://` speaks TLS from the first byte,
 * `smtp://` asks for it by STARTTLS: without it no password is sent over a network, unless the
 * address ends in `?requireTLS=false`.
 */
export function smtpTransport(smtpUrl: string): MailTransport {
  const { hostname, username } = new URL(smtpUrl);
  const local = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    requireTLS: username !== "" && !local,
    ...patience,
    url: smtpUrl,
  });
  return {
    deliver: async (letter) => {
      await transport.sendMail(composed(letter)).catch((error: unknown) => {
        throw withoutAddresses(error);
      });
    },
    sweep: async () => {},
    close: () => transport.close(),
  };
}

/** What the mail server said, for the log: it likes to repeat whom the letter was for. */
function withoutAddresses(error: unknown): Error {
  const { message, code, command } = error as Error & { code?: string; command?: string };
  const said = message.replace(/\S+@\S+/g, "<email>");
  const place = command ? ` (${command})` : "";
  return Object.assign(new Error(`A mail did not go out: ${said}${place}`), { code });
}
