import type { OutgoingMail } from "#server/adapters/mail/mail.ts";

/** An email in the form that nodemailer takes, which writes Date and the MIME parts. */
export function nodemailerMessage(mail: OutgoingMail) {
  const { from, to, subject, text, html, messageId, unsubscribe } = mail;
  return {
    from,
    to: { address: to.address, name: to.name ?? "" },
    subject,
    text,
    html,
    messageId,
    headers: {
      // RFC 3834: no out-of-office notice answers it
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    // only the words given here go into an email
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
