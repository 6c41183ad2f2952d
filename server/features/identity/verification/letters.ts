import { writeLetter, type LetterWords } from "#server/adapters/mail/letter.ts";
import type { Letter } from "#server/adapters/mail/mail.ts";
import type { Notice } from "#server/features/identity/notices.ts";
import type { Addressee } from "#server/features/identity/verification/verification.queries.ts";
import { linkLives } from "#shared/verification.ts";

const once = (life: string) => `The link works once, for ${life}.`;
const undone = `The link works once, for ${linkLives.keepEmail.words}, also after the change.`;

/** Every letter about an address or a password, in words that its reader can check. */
export function createLetters(publicUrl: string) {
  const place = new URL(publicUrl).host;

  const write = (words: Omit<LetterWords, "publicUrl">) => writeLetter({ ...words, publicUrl });
  const at = (path: string) => `${publicUrl}${path}`;
  const account = ({ username }: Addressee) => `the Postcard account @${username} at ${place}`;

  return {
    confirmAddress: (addressee: Addressee, token: string) =>
      write({
        to: to(addressee),
        subject: "Confirm your email address",
        paragraphs: [
          `This address was given for ${account(addressee)}. Confirm it, and you get back in when you forget your password.`,
          once(linkLives.confirmEmail.words),
        ],
        action: { label: "Confirm this address", url: at(`/verify/${token}`) },
        otherwise:
          "If you did not make this account, do nothing: the address stays unconfirmed, and nobody can prove to own it without this mailbox.",
      }),

    resetPassword: (addressee: Addressee, token: string, asked: "password" | "sign-in") =>
      write({
        to: to(addressee),
        subject: "Choose a new password",
        paragraphs: [
          asked === "password"
            ? `Somebody asked for a new password for ${account(addressee)}.`
            : `Somebody asked for a link to sign in to ${account(addressee)}. Its address was never confirmed, so a new password has to be chosen first.`,
          `${once(linkLives.resetPassword.words)} Every device is signed out when it is used.`,
          addressee.verified
            ? ""
            : "Using it confirms this address, and removes every other way to sign in that was set before.",
        ],
        action: { label: "Choose a new password", url: at(`/signIn/reset/${token}`) },
        otherwise: "If this was not you, do nothing: the password stays as it is.",
      }),

    signIn: (addressee: Addressee, token: string) =>
      write({
        to: to(addressee),
        subject: "Your link to sign in",
        paragraphs: [
          `Somebody asked for a link to sign in to ${account(addressee)}.`,
          once(linkLives.signIn.words),
        ],
        action: { label: "Sign in", url: at(`/signIn/link/${token}`) },
        otherwise:
          "If this was not you, do nothing. Never pass the link on: whoever has it is signed in as you.",
      }),

    confirmNewAddress: (addressee: Addressee, email: string, token: string) =>
      write({
        to: { address: email },
        subject: "Confirm your new email address",
        paragraphs: [
          `This is to become the address of ${account(addressee)}. Until it is confirmed, nothing changes.`,
          once(linkLives.confirmEmail.words),
        ],
        action: { label: "Confirm the new address", url: at(`/verify/${token}`) },
        otherwise: "If this is not your account, do nothing: it keeps the address it has.",
      }),

    addressTaken: (email: string) =>
      write({
        to: { address: email },
        subject: "This address has an account already",
        paragraphs: [
          `Somebody wanted to use this address for another Postcard account at ${place}. It belongs to an account already, so nothing was changed.`,
        ],
        otherwise:
          "If this was you, sign in with this address, or give that account another one first. If not, there is nothing to do.",
      }),

    changeAsked: (addressee: Addressee, token: string) =>
      write({
        to: to(addressee),
        subject: "Another email address was asked for",
        paragraphs: [
          `Somebody who is signed in to ${account(addressee)} asked to give it another email address. It changes when the new one is confirmed.`,
          `If this was not you, keep this address, and then choose a new password. ${undone}`,
        ],
        action: { label: "Keep this address", url: at(`/keepEmail/${token}`) },
        otherwise: "If this was you, there is nothing to do here.",
      }),

    emailChanged: (before: Addressee, token: string) =>
      write({
        to: to(before),
        subject: "Your email address was changed",
        paragraphs: [
          `This is no longer the address of ${account(before)}: another one was confirmed in its place.`,
          `If this was not you, take the address back: every device is signed out, and you choose a new password. ${undone}`,
        ],
        action: { label: "Restore this address", url: at(`/keepEmail/${token}`) },
        otherwise: "If this was you, there is nothing to do here.",
      }),

    changeUndone: (after: Addressee) =>
      write({
        to: to(after),
        subject: "Your email address was changed back",
        paragraphs: [
          `This is no longer the address of ${account(after)}: the change was undone from the mailbox before it, and every device was signed out.`,
        ],
        otherwise: `If this account is yours and you did not do this, write to whoever runs ${place}.`,
      }),

    signInMethodsChanged: (addressee: Addressee, notice: Notice) => {
      const [subject, said] = changeInWords(notice, account(addressee));
      return write({
        to: to(addressee),
        subject,
        paragraphs: [said],
        action: {
          label: "If this was not you, choose a new password now",
          url: at("/signIn/forgot"),
        },
        otherwise: "If this was you, there is nothing to do here.",
      });
    },
  };
}

function changeInWords(notice: Notice, account: string): [subject: string, said: string] {
  switch (notice.what) {
    case "password-changed":
      return [
        "Your password was changed",
        `The password of ${account} was changed, and every other device was signed out.`,
      ];
    case "password-replaced":
      return [
        "Your password was changed",
        `The password of ${account} was changed through a link, and every device was signed out.`,
      ];
    case "passkey-added":
      return ["A passkey was added", `A new passkey signs in to ${account}, without the password.`];
    case "passkey-removed":
      return ["A passkey was removed", `A passkey of ${account} was removed: it works no more.`];
    case "two-factor-on":
      return [
        "Two-step sign-in is on",
        `Signing in to ${account} asks for a code of an authenticator app from now on.`,
      ];
    case "two-factor-off":
      return ["Two-step sign-in is off", `Signing in to ${account} asks for no code any more.`];
    case "two-factor-codes-renewed":
      return [
        "You have new recovery codes",
        `${capital(account)} has new recovery codes: the ones before work no more.`,
      ];
    case "provider-connected":
      return [
        `${notice.label} was connected`,
        `From now on, ${account} can be signed in to with ${notice.label}.`,
      ];
    case "provider-disconnected":
      return [
        `${notice.label} was disconnected`,
        `${capital(account)} can no longer be signed in to with ${notice.label}.`,
      ];
  }
}

const capital = (text: string) => `T${text.slice(1)}`;

/** By name only where the mailbox was proved: no stranger's words reach one that was not. */
function to({ email, verified, fullName, username }: Addressee): Letter["to"] {
  return verified ? { address: email, name: fullName || username } : { address: email };
}
