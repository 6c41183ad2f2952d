import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { escapeHtml } from "#server/platform/html.ts";
import { findLinks } from "#shared/find-links.ts";
import { findMentions } from "#shared/mentions.ts";
import { findTags, fold, tagPath } from "#shared/tags.ts";

/** The accounts a text mentions: by the name as it is written, in lower case. */
export type Named = ReadonlyMap<string, { id: string; username: string }>;

export type TextContext = { publicUrl: string; named: Named };

/**
 * Words as the HTML that apps know: paragraphs, line breaks, and links, mentions and hashtags in Mastodon's
 * own markup (docs.joinmastodon.org/spec/activitypub, "Sanitization"). Everything else is escaped.
 */
export function toHtml(text: string, context: TextContext): string {
  if (text.trim() === "") return "";
  const paragraphs = text.split(/\n{2,}/).filter((part) => part.trim() !== "");
  return paragraphs
    .map((part) => `<p>${lineHtml(part, context).replaceAll("\n", "<br />")}</p>`)
    .join("");
}

export function lineHtml(text: string, context: TextContext): string {
  return findLinks(text)
    .map(({ text: words, href }) =>
      href === undefined ? wordsHtml(words, context) : linkHtml(href, words),
    )
    .join("");
}

/** `relation` comes before those that every link has, with a space. */
export function linkHtml(href: string, words: string, relation: "" | "me " = ""): string {
  return `<a href="${escapeHtml(href)}" target="_blank" rel="${relation}nofollow noopener noreferrer" translate="no">${escapeHtml(words)}</a>`;
}

/** An account's page, by its username: it leads there as long as nobody else has that name. */
export const profileUrl = (publicUrl: string, username: string): string =>
  `${publicUrl}/search/${username}`;

/** docs.joinmastodon.org/entities/Status, "Mention" */
export const mentionEntity = (
  publicUrl: string,
  { id, username }: { id: string; username: string },
) => ({ id: decimalOf(id), username, acct: username, url: profileUrl(publicUrl, username) });

/** What names an account, and a post or a comment, whatever their usernames become: it leads to their page. */
export const accountUri = (publicUrl: string, id: string): string => `${publicUrl}/users/${id}`;
export const statusUri = (publicUrl: string, id: string): string => `${publicUrl}/posts/${id}`;

export const tagUrl = (publicUrl: string, tag: string): string =>
  `${publicUrl}${tagPath(fold(tag))}`;

function wordsHtml(text: string, { publicUrl, named }: TextContext): string {
  const marks = [
    ...findMentions(text).flatMap(({ index, end, username }) => {
      const who = named.get(username);
      if (!who) return [];
      const href = escapeHtml(profileUrl(publicUrl, who.username));
      const written = escapeHtml(text.slice(index + 1, end));
      const html = `<span class="h-card" translate="no"><a href="${href}" class="u-url mention">@<span>${written}</span></a></span>`;
      return [{ index, end, html }];
    }),
    ...findTags(text).map(({ index, end, tag }) => {
      const href = escapeHtml(tagUrl(publicUrl, tag));
      const html = `<a href="${href}" class="mention hashtag" rel="tag">#<span>${escapeHtml(tag)}</span></a>`;
      return { index, end, html };
    }),
  ].toSorted((one, other) => one.index - other.index);
  let html = "";
  let at = 0;
  for (const mark of marks) {
    if (mark.index < at) continue;
    html += escapeHtml(text.slice(at, mark.index)) + mark.html;
    at = mark.end;
  }
  return html + escapeHtml(text.slice(at));
}

/** A time with exactly three decimals, which some apps require. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
