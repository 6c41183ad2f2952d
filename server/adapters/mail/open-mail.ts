import type { Logger } from "pino";
import { createMail, type Mail } from "#server/adapters/mail/mail.ts";
import { outboxTransport } from "#server/adapters/mail/outbox.ts";
import { smtpTransport } from "#server/adapters/mail/smtp.ts";
import type { Config } from "#server/config.ts";
import type { Jobs } from "#server/jobs.ts";

/** Mail as the configuration wants it: through SMTP_URL, else into files. */
export function openMail(deps: {
  config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">;
  jobs: Pick<Jobs, "add" | "handle">;
  log: Pick<Logger, "info">;
}): Mail {
  const { config, jobs, log } = deps;
  const { smtpUrl, mailFrom: from, dataDir } = config;
  const transport = smtpUrl ? smtpTransport(smtpUrl) : outboxTransport({ dataDir, log });
  return createMail({ transport, leaves: smtpUrl !== null, from, jobs });
}
