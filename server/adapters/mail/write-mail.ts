import type { MailMessage } from "#server/adapters/mail/mail.ts";
import { escapeHtml } from "#server/platform/html.ts";

/** The content of an email, from top to bottom. Every string is plain text. */
export type MailContent = {
  to: MailMessage["to"];
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
  const { to, subject, paragraphs, action, otherwise, site, publicUrl } = words;
  const greeting = to.name ? `Hello ${isolated(to.name)},` : "Hello,";
  const said = paragraphs.filter((paragraph) => paragraph !== "");
  const { host } = new URL(publicUrl);
  const text = [
    greeting,
    ...said,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    otherwise,
    `${site} at ${host}\n${publicUrl}`,
  ].join("\n\n");
  const html = [
    `<!doctype html>`,
    `<html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width">`,
    `<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:32em;margin:0 auto">`,
    paragraph(to.name ? `Hello <bdi>${escapeHtml(to.name)}</bdi>,` : "Hello,"),
    ...said.map((sentence) => paragraph(escapeHtml(sentence))),
    ...(action ? button(action) : []),
    paragraph(escapeHtml(otherwise)),
    `<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #888;font-size:14px">`,
    `${escapeHtml(site)} at <a href="${escapeHtml(publicUrl)}">${escapeHtml(host)}</a></p>`,
    `</div></body></html>`,
  ].join("\n");
  return { to, place: site, subject, text, html };
}

function button({ label, url }: { label: string; url: string }): string[] {
  const shape = "display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600";
  const colours = "background:#1d4ed8;color:#ffffff;text-decoration:none";
  return [
    paragraph(`<a href="${escapeHtml(url)}" style="${shape};${colours}">${escapeHtml(label)}</a>`),
    `<p style="margin:0 0 16px;font-size:14px;word-break:break-all">Or copy this address: `,
    `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
  ];
}

function paragraph(html: string): string {
  return `<p style="margin:0 0 16px">${html}</p>`;
}

/** First strong isolate: a name written from right to left leaves the comma after it in its position. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
