import type { MailMessage } from "#server/adapters/mail/mail.ts";
import { escapeHtml } from "#server/platform/html.ts";
import { messagesIn } from "#server/platform/messages.ts";
import { fill } from "#shared/messages.ts";

/** The content of an email, from top to bottom. Every string is plain text. */
export type MailContent = {
  to: MailMessage["to"];
  /** of its reader, for the words that all emails have */
  language: string;
  subject: string;
  /** sentences of a few words each; an empty one is left out */
  paragraphs: string[];
  /** the one thing to do, with its address in full */
  action?: { label: string; url: string };
  /** what to do if the reader didn't ask for it */
  otherwise: string;
  /** the site's name and address: the sender and the signature */
  site: string;
  publicUrl: string;
};

/**
 * An email as text and as simple HTML with the same words: the link is written out, and nothing is loaded
 * from anywhere, so that reading it is not tracked.
 */
export function writeMail(words: MailContent): MailMessage {
  const { to, language, subject, paragraphs, action, otherwise, site, publicUrl } = words;
  const { hello, helloNobody, signature, copyAddress } = messagesIn(language, "letters.json");
  const greet = (name: string) => (to.name ? fill(hello, { name }) : helloNobody);
  const said = paragraphs.filter((paragraph) => paragraph !== "");
  const { host } = new URL(publicUrl);
  const { tag, direction } = messagesIn(language, "language.json");
  const rtl = direction === "rtl";
  const text = [
    greet(isolated(to.name ?? "")),
    ...said,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    otherwise,
    `${fill(signature, { site, host })}\n${publicUrl}`,
  ].join("\n\n");
  const html = [
    `<!doctype html>`,
    `<html lang="${tag}"${rtl ? ' dir="rtl"' : ""}><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width">`,
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:32em;margin:0 auto">`,
    paragraph(greet(`<bdi>${escapeHtml(to.name ?? "")}</bdi>`)),
    // What is not translated is read in its own direction.
    ...said.map((sentence) => paragraph(escapeHtml(sentence), rtl ? ' dir="auto"' : "")),
    ...(action ? button(action, copyAddress) : []),
    paragraph(escapeHtml(otherwise)),
    `<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #888;font-size:14px">`,
    `${fill(signature, { site: escapeHtml(site), host: link(publicUrl, host) })}</p>`,
    `</div></body></html>`,
  ].join("\n");
  return { to, place: site, subject, text, html };
}

const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

function button({ label, url }: { label: string; url: string }, copyAddress: string): string[] {
  const shape = "display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600";
  const colours = "background:#1d4ed8;color:#ffffff;text-decoration:none";
  return [
    paragraph(`<a href="${escapeHtml(url)}" style="${shape};${colours}">${escapeHtml(label)}</a>`),
    `<p style="margin:0 0 16px;font-size:14px;word-break:break-all">` +
      `${fill(copyAddress, { url: `\n${link(url, url)}` })}</p>`,
  ];
}

function paragraph(html: string, direction = ""): string {
  return `<p${direction} style="margin:0 0 16px">${html}</p>`;
}

/** First strong isolate: a name written from right to left leaves the comma after it in its position. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
