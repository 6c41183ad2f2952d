import { handle, pageLayout } from "#server/features/archive/archive-pages.ts";
import { escapeHtml } from "#server/platform/html.ts";
import type { ArchivedMessage } from "#server/features/archive/messages.queries.ts";
import type { PageWords } from "#server/features/archive/page-words.ts";
import { fill } from "#shared/messages.ts";

/** A message as the page shows it: `file` is the path of its image in the archive. */
export type ShownMessage = ArchivedMessage & { file: string | null };

type PageOfMessages = {
  username: string;
  /** in the order of the conversations */
  messages: ShownMessage[];
  /** from 1 */
  page: number;
  last: boolean;
  language: PageWords;
};

export function messagesPageName(page: number): string {
  return page === 1 ? "pages/messages.html" : `pages/messages-${page}.html`;
}

export function renderMessagesPage(shown: PageOfMessages): string {
  const { username, messages, page, last, language } = shown;
  const { words } = language;
  return pageLayout(language, {
    title: words.messages,
    up: "../",
    body: `<header>
<div>
<h1>${words.messages}</h1>
<p class="quiet">${handle(username)} · <a href="../index.html">${words.posts}</a></p>
</div>
</header>
<main>
${conversationsOf(messages)
  .map((each) => conversation(each, username, language))
  .join("\n")}
</main>
<nav aria-label="${words.pages}">${page > 1 ? linkTo(page - 1, words.before) : ""}<span>${fill(words.page, { page })}</span>${last ? "" : linkTo(page + 1, words.next)}</nav>`,
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

function conversation(
  messages: readonly ShownMessage[],
  username: string,
  language: PageWords,
): string {
  const other = messages[0]?.with;
  const heading = other
    ? `<bdi>${escapeHtml(other.name)}</bdi> <span class="quiet">${handle(other.username)}</span>`
    : language.words.unseen;
  return `<article>
<h2>${heading}</h2>
<ul>${messages.map((message) => line(message, username, language)).join("\n")}</ul>
</article>`;
}

function line(message: ShownMessage, own: string, { words, moment }: PageWords) {
  const { time, sent, with: other, text, deleted, picture, file, imported } = message;
  const writer = handle(sent ? own : (other?.username ?? ""));
  const said = deleted ? `<p class="quiet">${words.messageDeleted}</p>` : wordsOf(text);
  return `<li${sent ? ' class="sent"' : ""}><p class="quiet">${writer} · ${moment(time)}${imported ? ` · ${words.imported}` : ""}</p>${imageOf(picture, file, words.aPicture)}${said}</li>`;
}

const wordsOf = (text: string) =>
  text ? `<p class="words" dir="auto">${escapeHtml(text)}</p>` : "";

function imageOf(image: ShownMessage["picture"], file: string | null, aPicture: string): string {
  if (!image) return "";
  if (!file) return `<p class="quiet">${aPicture}</p>`;
  const { width, height } = image;
  return `<a href="../${file}"><img src="../${file}" width="${width}" height="${height}" alt="${aPicture}" loading="lazy"></a>`;
}
