import { writeMail, type MailContent } from "#server/adapters/mail/write-mail.ts";
import type { MailMessage } from "#server/adapters/mail/mail.ts";
import type { SecurityNotice } from "#server/features/identity/security-notices.ts";
import type { Addressee } from "#server/features/identity/verification/verification.queries.ts";
import { messagesIn, readersLanguage, speaking } from "#server/platform/messages.ts";
import { fill, type Values } from "#shared/messages.ts";
import { linkLifetimes } from "#shared/verification.ts";

const hour = 60 * 60;

/** `until` is epoch ms; null: no end is set. */
export type Suspension = { reason: string | null; until: number | null };

type MailTemplates = ReturnType<typeof templatesFor>;

/** Emails in the language of their reader. */
export type WriteTo = (reader: Pick<Addressee, "language">) => Promise<MailTemplates>;

type Deps = {
  publicUrl: string;
  site: () => Promise<{ name: string }>;
  /** those that are offered */
  languages: readonly string[];
};

/** Every email about an address or a password, signed with the installation's name, in its reader's language. */
export function createMailTemplates({ publicUrl, site, languages }: Deps): WriteTo {
  return async ({ language }) =>
    templatesFor((await site()).name, publicUrl, readersLanguage(language, languages));
}

function templatesFor(site: string, publicUrl: string, language: string) {
  const writer = writerFor(site, publicUrl, language);
  return { ...linkTemplates(writer), ...addressTemplates(writer), ...accountTemplates(writer) };
}

/** The common parts of emails, in words that their reader can check. */
function writerFor(site: string, publicUrl: string, language: string) {
  const { host } = new URL(publicUrl);
  return {
    language,
    words: messagesIn(language, "letters.json"),
    write: (
      to: MailMessage["to"],
      words: Omit<MailContent, "to" | "language" | "site" | "publicUrl">,
    ) => writeMail({ ...words, to, language, site, publicUrl }),
    at: (path: string) => `${publicUrl}${path}`,
    /** A sentence that names the site, and an account there. */
    say: (sentence: string, { username }: Pick<Addressee, "username">, values?: Values) =>
      fill(sentence, { ...values, username, site, host }),
    once: onceIn(language),
  };
}

/** How long a link works. */
function onceIn(language: string) {
  const { worksMinutes, worksHours } = messagesIn(language, "letters.json");
  const { counted } = speaking(language);
  return ({ seconds }: { seconds: number }) =>
    seconds < hour ? counted(worksMinutes, seconds / 60) : counted(worksHours, seconds / hour);
}

type Writer = ReturnType<typeof writerFor>;

/** With a link that proves a mailbox. */
function linkTemplates({ words, write, at, say, once }: Writer) {
  return {
    confirmAddress: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: words.confirmSubject,
        paragraphs: [say(words.confirmGiven, addressee), once(linkLifetimes.confirmEmail)],
        action: { label: words.confirmAction, url: at(`/verify/${token}`) },
        otherwise: words.confirmOtherwise,
      }),

    resetPassword: (addressee: Addressee, token: string, asked: "password" | "sign-in") =>
      write(to(addressee), {
        subject: words.choosePassword,
        paragraphs: [
          say(asked === "password" ? words.resetAsked : words.resetAskedToSignIn, addressee),
          `${once(linkLifetimes.resetPassword)} ${words.resetSignsOut}`,
          addressee.verified ? "" : words.resetTakesOver,
        ],
        action: { label: words.choosePassword, url: at(`/signIn/reset/${token}`) },
        otherwise: words.resetOtherwise,
      }),

    signIn: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: words.signInSubject,
        paragraphs: [say(words.signInAsked, addressee), once(linkLifetimes.signIn)],
        action: { label: words.signInAction, url: at(`/signIn/link/${token}`) },
        otherwise: words.signInOtherwise,
      }),

    confirmNewAddress: (addressee: Addressee, email: string, token: string) =>
      write(
        { address: email },
        {
          subject: words.newAddressSubject,
          paragraphs: [say(words.newAddressWanted, addressee), once(linkLifetimes.confirmEmail)],
          action: { label: words.newAddressAction, url: at(`/verify/${token}`) },
          otherwise: words.newAddressOtherwise,
        },
      ),
  };
}

/** About a change of address. */
function addressTemplates({ words, write, at, say }: Writer) {
  return {
    addressTaken: (email: string) =>
      write(
        { address: email },
        {
          subject: words.takenSubject,
          paragraphs: [say(words.taken, { username: "" })],
          otherwise: words.takenOtherwise,
        },
      ),

    changeAsked: (addressee: Addressee, token: string) =>
      write(to(addressee), {
        subject: words.changeSubject,
        paragraphs: [
          say(words.changeAsked, addressee),
          `${words.changeKeep} ${words.worksSevenDays}`,
        ],
        action: { label: words.changeKeepAction, url: at(`/keepEmail/${token}`) },
        otherwise: words.nothingToDo,
      }),

    emailChanged: (before: Addressee, token: string) =>
      write(to(before), {
        subject: words.changedSubject,
        paragraphs: [say(words.changed, before), `${words.changedRestore} ${words.worksSevenDays}`],
        action: { label: words.changedRestoreAction, url: at(`/keepEmail/${token}`) },
        otherwise: words.nothingToDo,
      }),

    changeUndone: (after: Addressee) =>
      write(to(after), {
        subject: words.undoneSubject,
        paragraphs: [say(words.undone, after)],
        otherwise: say(words.undoneOtherwise, after),
      }),
  };
}

/** About a suspension, and a change of sign-in methods. */
function accountTemplates({ words, language, write, at, say }: Writer) {
  return {
    /** `reason`: null where none was written */
    suspended: (addressee: Addressee, { reason, until }: Suspension) =>
      write(to(addressee), {
        subject: words.suspendedSubject,
        paragraphs: [
          say(words.suspended, addressee),
          until === null
            ? words.suspendedNoEnd
            : fill(words.suspendedUntil, { time: minute(until, language) }),
          reason === null
            ? words.suspendedNoReason
            : fill(words.suspendedReason, { reason: reason.replaceAll(/\s+/gu, " ").trim() }),
        ],
        action: {
          label: reason === null ? words.suspendedSeeMore : words.suspendedAnswer,
          url: at("/signIn"),
        },
        otherwise: reason === null ? words.suspendedNotYours : words.suspendedMistake,
      }),

    signInMethodsChanged: (addressee: Addressee, notice: SecurityNotice) => {
      const provider = "label" in notice ? notice.label : "";
      const [subject, said] = changesIn(words)[notice.what];
      return write(to(addressee), {
        subject: fill(subject, { provider }),
        paragraphs: [say(said, addressee, { provider })],
        action: { label: words.notYouPassword, url: at("/signIn/forgot") },
        otherwise: words.nothingToDo,
      });
    },
  };
}

/** Subject and sentence for each kind. */
const changesIn = (words: Writer["words"]): Record<SecurityNotice["what"], [string, string]> => ({
  "password-changed": [words.passwordChangedSubject, words.passwordChanged],
  "password-replaced": [words.passwordChangedSubject, words.passwordReplaced],
  "passkey-added": [words.passkeyAddedSubject, words.passkeyAdded],
  "passkey-removed": [words.passkeyRemovedSubject, words.passkeyRemoved],
  "two-factor-on": [words.twoStepOnSubject, words.twoStepOn],
  "two-factor-off": [words.twoStepOffSubject, words.twoStepOff],
  "two-factor-codes-renewed": [words.codesRenewedSubject, words.codesRenewed],
  "provider-connected": [words.connectedSubject, words.connected],
  "provider-disconnected": [words.disconnectedSubject, words.disconnected],
});

/** The reader's time zone is unknown. */
function minute(epochMs: number, language: string): string {
  const at = new Date(epochMs);
  const { timeUtc } = messagesIn(language, "letters.json");
  return fill(timeUtc, { date: speaking(language).day(at), clock: at.toISOString().slice(11, 16) });
}

/** By name only where the mailbox was verified: no stranger's words reach one that was not. */
function to({ email, verified, fullName, username }: Addressee): MailMessage["to"] {
  return verified ? { address: email, name: fullName || username } : { address: email };
}
