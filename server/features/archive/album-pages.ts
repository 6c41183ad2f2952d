import { linkedImage, pageLayout } from "#server/features/archive/archive-pages.ts";
import type { ArchivedAlbum, ArchivedItem } from "#server/features/archive/albums.queries.ts";
import { imagePath } from "#server/features/archive/format.ts";
import { escapeHtml } from "#server/platform/html.ts";

/** Where the page of the nth album is, from 1. */
export const albumPageName = (nth: number) => `pages/album-${nth}.html`;
export const albumsPageName = "pages/albums.html";

/** All albums by their titles, in their order. */
export function renderAlbumsPage(username: string, titles: readonly string[]): string {
  const list = titles.map((title, index) => {
    const page = albumPageName(index + 1);
    return `<li><a href="../${page}"><bdi>${escapeHtml(title)}</bdi></a></li>`;
  });
  return pageLayout({
    title: "Albums",
    up: "../",
    body: `<header>
<div>
<h1>Albums</h1>
<p class="quiet">@${escapeHtml(username)} · <a href="../index.html">Posts</a></p>
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
export function renderAlbumPage({ title, description, items }: ArchivedAlbum): string {
  return pageLayout({
    title,
    up: "../",
    body: `<header>
<div>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet"><a href="../${albumsPageName}">Albums</a></p>
</div>
</header>
${description ? `<section><p class="words" dir="auto">${escapeHtml(description)}</p></section>` : ""}
<main>
${items.map(itemOf).join("\n")}
${items.length === 0 ? '<p class="quiet">No photos yet.</p>' : ""}
</main>`,
  });
}

function itemOf(item: ArchivedItem): string {
  if (item.post === null) {
    return `<article>
<p class="quiet">A photo of <bdi>${escapeHtml(item.name)}</bdi> (@${escapeHtml(item.username)}), which is not in this archive</p>
</article>`;
  }
  const { post, picture, caption } = item;
  return `<article>
${picture ? linkedImage(`../${imagePath(`${post}-1`, picture.mediaType)}`, picture) : ""}
${caption ? `<p class="words" dir="auto">${escapeHtml(caption)}</p>` : ""}
</article>`;
}
