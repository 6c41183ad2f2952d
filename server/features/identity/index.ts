// Identity: signing up and in, sessions, credentials, recovery.
export { backgroundWriter } from "#server/features/identity/background-writer.ts";
export { bearerIn } from "#server/features/identity/session-tokens.ts";
export { ownCookie, readCookie } from "#server/features/identity/cookies.ts";
export { currentClient } from "#server/features/identity/current-client.ts";
export { createIdentity, type Identity } from "#server/features/identity/identity.ts";
export { ownDetails, type OwnDetails } from "#server/features/identity/own-details.queries.ts";
export { createProviders } from "#server/features/identity/providers/providers.ts";
export { hashPassword, verifyPassword } from "#server/features/identity/passwords.ts";
export { accountOfSession } from "#server/features/identity/sessions.queries.ts";
export { sessionCookieName, sessionLifetime } from "#server/features/identity/session-tokens.ts";
export { createTwoFactor } from "#server/features/identity/two-factor/two-factor.ts";
export { mailJobs, pageLanguage } from "#server/features/identity/verification/mail-jobs.ts";
export { suspensionMail } from "#server/features/identity/suspension.ts";
export {
  createSecurityMails,
  type NotifySuspended,
} from "#server/features/identity/verification/security-mails.ts";
export { createVerification } from "#server/features/identity/verification/verification.ts";
export type { Leaving } from "#server/features/identity/recovery.ts";
