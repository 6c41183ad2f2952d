import type { OutgoingLetter } from "#server/adapters/mail/mail.ts";

/** A letter in the words of nodemailer, whose composer writes Date and the MIME parts. */
export function composed({ from, to, subject, text, html, messageId }: OutgoingLetter) {
  return {
    from,
    to: { address: to.address, name: to.name ?? "" },
    subject,
    text,
    html,
    messageId,
    // RFC 3834: no holiday notice answers it
    headers: { "Auto-Submitted": "auto-generated" },
    // only the words given here go into a letter
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
