import { pageLayout } from "#server/features/archive/archive-pages.ts";
import type { ArchiveWords } from "#server/features/archive/archive-words.ts";
import { escapeHtml } from "#server/platform/html.ts";
import type { ArchivedMessage } from "#server/features/archive/messages.queries.ts";

/** A message as the page shows it: `file` is the path of its image in the archive. */
export type ShownMessage = ArchivedMessage & { file: string | null };

type PageOfMessages = {
  words: ArchiveWords;
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

export function renderMessagesPage(shown: PageOfMessages): string {
  const { words, username, messages, page, last } = shown;
  return pageLayout(words, {
    title: words.say("messages"),
    up: "../",
    body: `<header>
<div>
<h1>${words.say("messages")}</h1>
<p class="quiet">@${escapeHtml(username)} · <a href="../index.html">${words.say("posts")}</a></p>
</div>
</header>
<main>
${conversationsOf(messages)
  .map((each) => conversation(each, shown))
  .join("\n")}
</main>
<nav aria-label="${words.say("pages")}">${page > 1 ? linkTo(page - 1, words.say("before")) : ""}<span>${words.say("page", { page })}</span>${last ? "" : linkTo(page + 1, words.say("next"))}</nav>`,
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

type Around = Pick<PageOfMessages, "words" | "username">;

function conversation(messages: readonly ShownMessage[], around: Around): string {
  const other = messages[0]?.with;
  const heading = other
    ? `<bdi>${escapeHtml(other.name)}</bdi> <span class="quiet">@${escapeHtml(other.username)}</span>`
    : around.words.say("someone");
  return `<article>
<h2>${heading}</h2>
<ul>${messages.map((message) => line(message, around)).join("\n")}</ul>
</article>`;
}

function line(message: ShownMessage, { words, username: own }: Around) {
  const { time, sent, with: other, text, deleted, picture, file, imported } = message;
  const writer = escapeHtml(sent ? own : (other?.username ?? ""));
  const about = [`@${writer}`, words.moment(time), ...(imported ? [words.say("imported")] : [])];
  const said = deleted ? `<p class="quiet">${words.say("messageDeleted")}</p>` : wordsOf(text);
  const image = picture ? imageOf(picture, file, words.say("picture")) : "";
  return `<li${sent ? ' class="sent"' : ""}><p class="quiet">${about.join(" · ")}</p>${image}${said}</li>`;
}

const wordsOf = (text: string) =>
  text ? `<p class="words" dir="auto">${escapeHtml(text)}</p>` : "";

type Image = NonNullable<ShownMessage["picture"]>;

function imageOf({ width, height }: Image, file: string | null, alt: string): string {
  if (!file) return `<p class="quiet">${alt}</p>`;
  return `<a href="../${file}"><img src="../${file}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" loading="lazy"></a>`;
}
