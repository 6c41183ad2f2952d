import { checkSmtp } from "#server/adapters/mail/smtp.ts";
import { ok, problem, type Finding } from "#server/platform/admin/doctor/finding.ts";
import type { Config } from "#server/config.ts";

/**
 * Whether signing in to the mail server works. Nothing is sent, so whether it accepts MAIL_FROM stays
 * unknown.
 */
export async function checkMail({ smtpUrl }: Config): Promise<Finding[]> {
  if (smtpUrl === null) return [];
  const { host } = new URL(smtpUrl);
  try {
    await checkSmtp(smtpUrl);
    return [ok("Mail", `${host} accepts our emails.`)];
  } catch (error) {
    return [
      problem(
        "Mail",
        `${host} doesn't accept our emails (${(error as Error).message}). Check SMTP_URL; emails wait and are tried again for about a day.`,
      ),
    ];
  }
}
