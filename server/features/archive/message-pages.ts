import { pageLayout } from "#server/features/archive/archive-pages.ts";
import { escapeHtml } from "#server/platform/html.ts";
import type { ArchivedMessage } from "#server/features/archive/messages.queries.ts";

/** A message as the page shows it: `file` is the path of its image in the archive. */
export type ShownMessage = ArchivedMessage & { file: string | null };

type PageOfMessages = {
  username: string;
  /** in the order of the conversations */
  messages: ShownMessage[];
  /** from 1 */
  page: number;
  last: boolean;
};

export function messagesPageName(page: number): string {
  return page === 1 ? "pages/messages.html" : `pages/messages-${page}.html`;
}

export function renderMessagesPage({ username, messages, page, last }: PageOfMessages): string {
  return pageLayout({
    title: "Messages",
    up: "../",
    body: `<header>
<div>
<h1>Messages</h1>
<p class="quiet">@${escapeHtml(username)} · <a href="../index.html">Posts</a></p>
</div>
</header>
<main>
${conversationsOf(messages)
  .map((each) => conversation(each, username))
  .join("\n")}
</main>
<nav aria-label="Pages">${page > 1 ? linkTo(page - 1, "Before") : ""}<span>Page ${page}</span>${last ? "" : linkTo(page + 1, "Next")}</nav>`,
  });
}

const linkTo = (page: number, text: string) => `<a href="../${messagesPageName(page)}">${text}</a>`;

function conversationsOf(messages: readonly ShownMessage[]): ShownMessage[][] {
  const found: ShownMessage[][] = [];
  for (const message of messages) {
    const current = found.at(-1);
    if (current?.[0]?.conversation === message.conversation) current.push(message);
    else found.push([message]);
  }
  return found;
}

function conversation(messages: readonly ShownMessage[], username: string): string {
  const other = messages[0]?.with;
  const heading = other
    ? `<bdi>${escapeHtml(other.name)}</bdi> <span class="quiet">@${escapeHtml(other.username)}</span>`
    : "Someone you can no longer see";
  return `<article>
<h2>${heading}</h2>
<ul>${messages.map((message) => line(message, username)).join("\n")}</ul>
</article>`;
}

function line(message: ShownMessage, own: string) {
  const { time, sent, with: other, text, deleted, picture, file, imported } = message;
  const writer = escapeHtml(sent ? own : (other?.username ?? ""));
  const words = deleted ? '<p class="quiet">Message deleted</p>' : wordsOf(text);
  return `<li${sent ? ' class="sent"' : ""}><p class="quiet">@${writer} · ${moment(time)}${imported ? " · imported" : ""}</p>${imageOf(picture, file)}${words}</li>`;
}

const wordsOf = (text: string) =>
  text ? `<p class="words" dir="auto">${escapeHtml(text)}</p>` : "";

function imageOf(image: ShownMessage["picture"], file: string | null): string {
  if (!image) return "";
  if (!file) return '<p class="quiet">A picture</p>';
  const { width, height } = image;
  return `<a href="../${file}"><img src="../${file}" width="${width}" height="${height}" alt="A picture" loading="lazy"></a>`;
}

/** "12 March 2026 at 14:05 UTC": a message stores no time zone. */
function moment(time: number): string {
  const said = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(time);
  return `${said} UTC`;
}
