import type { Logger } from "pino";
import { createMail, type Mail } from "#server/adapters/mail/mail.ts";
import { outboxTransport } from "#server/adapters/mail/outbox.ts";
import { smtpTransport } from "#server/adapters/mail/smtp.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Config } from "#server/config.ts";
import type { Jobs } from "#server/platform/jobs.ts";

/** Mail as configured: through SMTP_URL, else into files. */
export function openMail(deps: {
  config: Pick<Config, "smtpUrl" | "mailFrom">;
  /** where emails are stored if nothing sends them */
  files: PrivateFiles;
  jobs: Pick<Jobs, "add" | "handle">;
  log: Pick<Logger, "info">;
}): Mail {
  const { config, jobs } = deps;
  const { smtpUrl, mailFrom: from } = config;
  const transport = smtpUrl ? smtpTransport(smtpUrl) : outboxTransport(deps);
  return createMail({ transport, leaves: smtpUrl !== null, from, jobs });
}
