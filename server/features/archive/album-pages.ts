import { handle, linkedImage, pageLayout } from "#server/features/archive/archive-pages.ts";
import type { ArchivedAlbum, ArchivedItem } from "#server/features/archive/albums.queries.ts";
import type { PageWords } from "#server/features/archive/page-words.ts";
import { imagePath } from "#server/features/archive/format.ts";
import { escapeHtml } from "#server/platform/html.ts";
import { fill } from "#shared/messages.ts";

/** Where the page of the nth album is, from 1. */
export const albumPageName = (nth: number) => `pages/album-${nth}.html`;
export const albumsPageName = "pages/albums.html";

/** All albums by their titles, in their order. */
export function renderAlbumsPage(
  language: PageWords,
  username: string,
  titles: readonly string[],
): string {
  const { words } = language;
  const list = titles.map((title, index) => {
    const page = albumPageName(index + 1);
    return `<li><a href="../${page}"><bdi>${escapeHtml(title)}</bdi></a></li>`;
  });
  return pageLayout(language, {
    title: words.albums,
    up: "../",
    body: `<header>
<div>
<h1>${words.albums}</h1>
<p class="quiet">${handle(username)} · <a href="../index.html">${words.posts}</a></p>
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
  language: PageWords,
  { title, description, items }: ArchivedAlbum,
): string {
  const { words } = language;
  return pageLayout(language, {
    title,
    up: "../",
    body: `<header>
<div>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet"><a href="../${albumsPageName}">${words.albums}</a></p>
</div>
</header>
${description ? `<section><p class="words" dir="auto">${escapeHtml(description)}</p></section>` : ""}
<main>
${items.map((item) => itemOf(item, words)).join("\n")}
${items.length === 0 ? `<p class="quiet">${words.noPhotos}</p>` : ""}
</main>`,
  });
}

function itemOf(item: ArchivedItem, { photoElsewhere }: PageWords["words"]): string {
  if (item.post === null) {
    const whose = { name: `<bdi>${escapeHtml(item.name)}</bdi>`, username: handle(item.username) };
    return `<article>
<p class="quiet">${fill(photoElsewhere, whose)}</p>
</article>`;
  }
  const { post, picture, caption } = item;
  return `<article>
${picture ? linkedImage(`../${imagePath(`${post}-1`, picture.mediaType)}`, picture) : ""}
${caption ? `<p class="words" dir="auto">${escapeHtml(caption)}</p>` : ""}
</article>`;
}
