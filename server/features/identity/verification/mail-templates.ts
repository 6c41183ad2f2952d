import { writeMail, type MailContent } from "#server/adapters/mail/write-mail.ts";
import type { MailMessage } from "#server/adapters/mail/mail.ts";
import type { SecurityNotice } from "#server/features/identity/security-notices.ts";
import type { Addressee } from "#server/features/identity/verification/verification.queries.ts";
import { linkLifetimes } from "#shared/verification.ts";

const once = (life: string) => `The link works once, within ${life}.`;
const undone = `The link works once, within ${linkLifetimes.keepEmail.words}, even after the change.`;

/** `until` is epoch ms; null: no end is set. */
export type Suspension = { reason: string | null; until: number | null };

export type MailTemplates = ReturnType<typeof templatesFor>;

/** Every email about an address or a password, signed with the installation's name. */
export function createMailTemplates(publicUrl: string, site: () => Promise<{ name: string }>) {
  return async (): Promise<MailTemplates> => templatesFor((await site()).name, publicUrl);
}

function templatesFor(site: string, publicUrl: string) {
  const writer = writerFor(site, publicUrl);
  return { ...linkTemplates(writer), ...addressTemplates(writer), ...accountTemplates(writer) };
}

/** The common parts of emails, in words that their reader can check. */
function writerFor(site: string, publicUrl: string) {
  const { host } = new URL(publicUrl);
  return {
    site,
    host,
    write: (to: MailMessage["to"], words: Omit<MailContent, "to" | "site" | "publicUrl">) =>
      writeMail({ ...words, to, site, publicUrl }),
    at: (path: string) => `${publicUrl}${path}`,
    account: ({ username }: Addressee) => `the ${site} account @${username} at ${host}`,
  };
}

type Writer = ReturnType<typeof writerFor>;

/** With a link that proves a mailbox. */
function linkTemplates({ write, at, account }: Writer) {
  return {
    confirmAddress: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: "Confirm your email address",
        paragraphs: [
          `This address was given for ${account(addressee)}. Confirm it so you can get back in if you forget your password.`,
          once(linkLifetimes.confirmEmail.words),
        ],
        action: { label: "Confirm this address", url: at(`/verify/${token}`) },
        otherwise:
          "If you didn't create this account, ignore this email. The address stays unconfirmed, and no one can claim it without access to this mailbox.",
      }),

    resetPassword: (addressee: Addressee, token: string, asked: "password" | "sign-in") =>
      write(to(addressee), {
        subject: "Choose a new password",
        paragraphs: [
          asked === "password"
            ? `Someone asked for a new password for ${account(addressee)}.`
            : `Someone asked for a link to sign in to ${account(addressee)}. Its address was never confirmed, so you'll have to choose a new password first.`,
          `${once(linkLifetimes.resetPassword.words)} Using it signs out every device.`,
          addressee.verified
            ? ""
            : "Using it also confirms this address, and removes every other way to sign in that was set up before.",
        ],
        action: { label: "Choose a new password", url: at(`/signIn/reset/${token}`) },
        otherwise: "If this wasn't you, ignore this email. The password stays the same.",
      }),

    signIn: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: "Your link to sign in",
        paragraphs: [
          `Someone asked for a link to sign in to ${account(addressee)}.`,
          once(linkLifetimes.signIn.words),
        ],
        action: { label: "Sign in", url: at(`/signIn/link/${token}`) },
        otherwise:
          "If this wasn't you, ignore this email. Never share the link: anyone who has it can sign in as you.",
      }),

    confirmNewAddress: (addressee: Addressee, email: string, token: string) =>
      write(
        { address: email },
        {
          subject: "Confirm your new email address",
          paragraphs: [
            `Someone wants to use this address for ${account(addressee)}. Nothing changes until you confirm it.`,
            once(linkLifetimes.confirmEmail.words),
          ],
          action: { label: "Confirm the new address", url: at(`/verify/${token}`) },
          otherwise:
            "If this isn't your account, ignore this email. The account keeps its current address.",
        },
      ),
  };
}

/** About a change of address. */
function addressTemplates({ write, at, account, site, host }: Writer) {
  return {
    addressTaken: (email: string) =>
      write(
        { address: email },
        {
          subject: "This address already has an account",
          paragraphs: [
            `Someone tried to use this address for another ${site} account at ${host}. It already belongs to an account, so nothing was changed.`,
          ],
          otherwise:
            "If this was you, sign in with this address, or give that account a different one first. If not, you don't need to do anything.",
        },
      ),

    changeAsked: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: "Your email address is about to change",
        paragraphs: [
          `Someone signed in to ${account(addressee)} asked to change its email address. It changes once the new one is confirmed.`,
          `If this wasn't you, keep this address, and then choose a new password. ${undone}`,
        ],
        action: { label: "Keep this address", url: at(`/keepEmail/${token}`) },
        otherwise: "If this was you, you don't need to do anything.",
      }),

    emailChanged: (before: Addressee, token: string) =>
      write(to(before), {
        subject: "Your email address was changed",
        paragraphs: [
          `This is no longer the address of ${account(before)}. Another one was confirmed in its place.`,
          `If this wasn't you, restore this address. That signs out every device, and you choose a new password. ${undone}`,
        ],
        action: { label: "Restore this address", url: at(`/keepEmail/${token}`) },
        otherwise: "If this was you, you don't need to do anything.",
      }),

    changeUndone: (after: Addressee) =>
      write(to(after), {
        subject: "Your email address was changed back",
        paragraphs: [
          `This is no longer the address of ${account(after)}. The change was undone from the previous mailbox, and every device was signed out.`,
        ],
        otherwise: `If this account is yours and you didn't do this, contact the person who runs ${host}.`,
      }),
  };
}

/** About a suspension, and a change of sign-in methods. */
function accountTemplates({ write, at, account }: Writer) {
  return {
    /** `reason`: null where none was written */
    suspended: (addressee: Addressee, { reason, until }: Suspension) =>
      write(to(addressee), {
        subject: "Your account is suspended",
        paragraphs: [
          `${capital(account(addressee))} is suspended: no one can see it or its posts, and it can't be used. It isn't deleted.`,
          until === null ? "No end is set." : `It comes back by itself on ${minute(until)}.`,
          reason === null
            ? "The person who runs this place suspended it. Ask them if you don't know why."
            : `The reason given: “${reason.replaceAll(/\s+/gu, " ").trim()}”`,
        ],
        action: {
          label: reason === null ? "Sign in to see more" : "Sign in to read more and answer",
          url: at("/signIn"),
        },
        otherwise:
          reason === null
            ? "If this isn't your account, ignore this email."
            : "If you think this is a mistake, you can say so there, once.",
      }),

    signInMethodsChanged: (addressee: Addressee, notice: SecurityNotice) => {
      const label = "label" in notice ? notice.label : "";
      const [subject, said] = changesInWords(account(addressee), label)[notice.what];
      return write(to(addressee), {
        subject,
        paragraphs: [said],
        action: {
          label: "If this wasn't you, choose a new password now",
          url: at("/signIn/forgot"),
        },
        otherwise: "If this was you, you don't need to do anything.",
      });
    },
  };
}

/** Subject and sentence for each kind; `label` is the provider's. */
const changesInWords = (
  account: string,
  label: string,
): Record<SecurityNotice["what"], [string, string]> => ({
  "password-changed": [
    "Your password was changed",
    `The password for ${account} was changed, and every other device was signed out.`,
  ],
  "password-replaced": [
    "Your password was changed",
    `The password for ${account} was changed through a link, and every device was signed out.`,
  ],
  "passkey-added": [
    "A passkey was added",
    `A new passkey can now sign in to ${account} without the password.`,
  ],
  "passkey-removed": [
    "A passkey was removed",
    `A passkey for ${account} was removed and no longer works.`,
  ],
  "two-factor-on": [
    "Two-step sign-in is on",
    `From now on, signing in to ${account} asks for a code from an authenticator app.`,
  ],
  "two-factor-off": [
    "Two-step sign-in is off",
    `Signing in to ${account} no longer asks for a code.`,
  ],
  "two-factor-codes-renewed": [
    "You have new recovery codes",
    `${capital(account)} has new recovery codes. The old ones no longer work.`,
  ],
  "provider-connected": [
    `${label} was connected`,
    `From now on, ${label} can be used to sign in to ${account}.`,
  ],
  "provider-disconnected": [
    `${label} was disconnected`,
    `${label} can no longer be used to sign in to ${account}.`,
  ],
});

/** The reader's time zone is unknown. */
function minute(at: number): string {
  const words = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat("en-GB", words).format(at)} (UTC)`;
}

const capital = (text: string) => `T${text.slice(1)}`;

/** By name only where the mailbox was verified: no stranger's words reach one that was not. */
function to({ email, verified, fullName, username }: Addressee): MailMessage["to"] {
  return verified ? { address: email, name: fullName || username } : { address: email };
}
