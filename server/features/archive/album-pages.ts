import { linkedImage, pageLayout } from "#server/features/archive/archive-pages.ts";
import type { ArchiveWords } from "#server/features/archive/archive-words.ts";
import type { ArchivedAlbum, ArchivedItem } from "#server/features/archive/albums.queries.ts";
import { imagePath } from "#server/features/archive/format.ts";
import { escapeHtml } from "#server/platform/html.ts";

/** Where the page of the nth album is, from 1. */
export const albumPageName = (nth: number) => `pages/album-${nth}.html`;
export const albumsPageName = "pages/albums.html";

/** All albums by their titles, in their order. */
export function renderAlbumsPage(
  words: ArchiveWords,
  { username, titles }: { username: string; titles: readonly string[] },
): string {
  const list = titles.map((title, index) => {
    const page = albumPageName(index + 1);
    return `<li><a href="../${page}"><bdi>${escapeHtml(title)}</bdi></a></li>`;
  });
  return pageLayout(words, {
    title: words.say("albums"),
    up: "../",
    body: `<header>
<div>
<h1>${words.say("albums")}</h1>
<p class="quiet">@${escapeHtml(username)} · <a href="../index.html">${words.say("posts")}</a></p>
</div>
</header>
<main>
<article>
<ul>${list.join("\n")}</ul>
</article>
</main>`,
  });
}

/** An album in its order; a photo of somebody else's is named, and not in the archive. */
export function renderAlbumPage(
  words: ArchiveWords,
  { title, description, items }: ArchivedAlbum,
): string {
  return pageLayout(words, {
    title,
    up: "../",
    body: `<header>
<div>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet"><a href="../${albumsPageName}">${words.say("albums")}</a></p>
</div>
</header>
${description ? `<section><p class="words" dir="auto">${escapeHtml(description)}</p></section>` : ""}
<main>
${items.map((item) => itemOf(words, item)).join("\n")}
${items.length === 0 ? `<p class="quiet">${words.say("noPhotos")}</p>` : ""}
</main>`,
  });
}

function itemOf(words: ArchiveWords, item: ArchivedItem): string {
  if (item.post === null) {
    const name = `<bdi>${escapeHtml(item.name)}</bdi>`;
    return `<article>
<p class="quiet">${words.say("photoOf", { name, username: escapeHtml(item.username) })}</p>
</article>`;
  }
  const { post, picture, caption } = item;
  return `<article>
${picture ? linkedImage(`../${imagePath(`${post}-1`, picture.mediaType)}`, picture) : ""}
${caption ? `<p class="words" dir="auto">${escapeHtml(caption)}</p>` : ""}
</article>`;
}
