import type {
  ArchivedPost,
  ArchivedProfile,
  ReceivedComment,
  ArchivedImage,
} from "#server/features/archive/archive.queries.ts";
import { imagePath } from "#server/features/archive/format.ts";
import type { PageWords } from "#server/features/archive/page-words.ts";
import { escapeHtml } from "#server/platform/html.ts";
import { fill } from "#shared/messages.ts";

/** The pages of an archive: plain HTML that a browser opens from a disk, without scripts. */
export type PageOfPosts = {
  profile: ArchivedProfile;
  /** how many, on pages of their own */
  albums: number;
  messages: number;
  /** newest first */
  posts: ArchivedPost[];
  comments: ReceivedComment[];
  /** from 1 */
  page: number;
  pages: number;
  at: Date;
  language: PageWords;
};

/** The first page is the one that people look for. */
export function pageName(page: number): string {
  return page === 1 ? "index.html" : `pages/${page}.html`;
}

/** A whole page; `up` leads from it to the root of the archive. */
export function pageLayout(
  { tag, direction }: Pick<PageWords, "tag" | "direction">,
  { title, up, body }: { title: string; up: string; body: string },
): string {
  return `<!doctype html>
<html lang="${tag}"${direction === "rtl" ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'self' file:">
<title>${escapeHtml(title)} · Postcard</title>
<link rel="stylesheet" href="${up}pages/style.css">
</head>
<body>
<div class="airmail"></div>
${body}
</body>
</html>
`;
}

export function renderPostsPage(shown: PageOfPosts): string {
  const { profile, posts, comments, page, pages, language } = shown;
  const { words } = language;
  const around = { up: page === 1 ? "" : "../", comments, username: profile.username, language };
  const { up } = around;
  const name = [profile.firstName, profile.secondName].filter(Boolean).join(" ");
  const title = name || profile.username;
  const linkTo = (to: number, text: string) =>
    to < 1 || to > pages ? "" : `<a href="${up}${pageName(to)}">${text}</a>`;
  return pageLayout(language, {
    title,
    up,
    body: `<header>
${profile.picture ? `<img class="face" src="${up}${imagePathOf("profile", profile.picture)}" alt="">` : ""}
<div>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="quiet">${handle(profile.username)}</p>
</div>
</header>
${page === 1 ? aboutOf(shown) : ""}
<main>
${posts.map((post) => postOf(post, around)).join("\n")}
${profile.counts.posts === 0 ? `<p class="quiet">${words.noPosts}</p>` : ""}
</main>
<nav aria-label="${words.pages}">${linkTo(page - 1, words.newerPosts)}<span>${fill(words.pageOf, { page, pages })}</span>${linkTo(page + 1, words.olderPosts)}</nav>`,
  });
}

function aboutOf({
  profile: { bio, website, extraFields, counts },
  albums,
  messages,
  at,
  language: { words, counted, day },
}: PageOfPosts): string {
  const written = fill(words.writtenOn, {
    posts: counted(words.postCount, counts.posts),
    followers: counted(words.followerCount, counts.followers),
    following: counted(words.followingCount, counts.following),
    day: day(at),
  });
  const safe = /^https?:\/\//.test(website);
  return `<section>
${bio ? `<p class="words" dir="auto">${escapeHtml(bio)}</p>` : ""}
${safe ? `<p><a href="${escapeHtml(website)}" rel="noreferrer">${escapeHtml(website)}</a></p>` : ""}
${extraFields.map(({ name, value }) => `<p dir="auto"><span class="quiet">${escapeHtml(name)}</span> ${escapeHtml(value)}</p>`).join("\n")}
${albums > 0 ? `<p><a href="pages/albums.html">${words.albums}</a></p>` : ""}
${messages > 0 ? `<p><a href="pages/messages.html">${words.messages}</a></p>` : ""}
<p class="quiet">${written}</p>
</section>`;
}

type Around = {
  up: string;
  comments: readonly ReceivedComment[];
  username: string;
  language: PageWords;
};

function postOf(post: ArchivedPost, { up, comments, username, language }: Around): string {
  const { words, counted, dayIn } = language;
  const facts = [
    dayIn(post.time, post.timeZone),
    counted(words.likeCount, post.likeCount),
    counted(words.commentCount, post.commentCount),
    ...(post.imported ? [words.imported] : []),
  ];
  const under = comments.filter((comment) => comment.post === post.number);
  const more = post.commentCount - under.length;
  return `<article id="post-${post.number}">
${post.sensitive ? `<p class="quiet" dir="auto">${escapeHtml(post.warning ?? words.sensitive)}</p>` : ""}
${post.pictures.map((photo, index) => imageOf(post, photo, index, up)).join("\n")}
${post.caption ? `<p class="words${post.pictures.length === 0 ? " large" : ""}" dir="auto">${escapeHtml(post.caption)}</p>` : ""}
<p class="quiet">${facts.join(" · ")}</p>
${post.album ? albumOf(post.album, username, words) : ""}
${under.length === 0 ? "" : `<ul>${under.map(commentOf).join("")}${more > 0 ? `<li class="quiet">${counted(words.moreComments, more)}</li>` : ""}</ul>`}
</article>`;
}

function albumOf(
  { title, owner }: NonNullable<ArchivedPost["album"]>,
  username: string,
  { inAlbum, inAlbumOf }: PageWords["words"],
): string {
  const values = { album: `<bdi>${escapeHtml(title)}</bdi>`, owner: handle(owner) };
  return `<p class="quiet">${fill(owner === username ? inAlbum : inAlbumOf, values)}</p>`;
}

/** A username as people write it, in its own direction. */
export const handle = (username: string) => `<bdi>@${escapeHtml(username)}</bdi>`;

function imageOf(post: ArchivedPost, photo: ArchivedImage, index: number, up: string): string {
  return linkedImage(`${up}${imagePathOf(`${post.number}-${index + 1}`, photo)}`, photo);
}

/** It opens as large as it is. */
export function linkedImage(
  source: string,
  { width, height, alt }: Pick<ArchivedImage, "width" | "height" | "alt">,
): string {
  return `<a href="${source}"><img src="${source}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" loading="lazy"></a>`;
}

function commentOf({ name, text }: ReceivedComment): string {
  return `<li><b><bdi>${escapeHtml(name)}</bdi></b> <span class="words" dir="auto">${escapeHtml(text)}</span></li>`;
}

const imagePathOf = (name: string, { mediaType }: ArchivedImage) => imagePath(name, mediaType);

/** The look of the product without its components: paper and ink, in the theme that the reader prefers. */
export const styleSheet = `:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #18181b; --quiet: #565660; --line: #d9d9de; --link: #3b2fcf; --red: #d6453d; --blue: #3659c9;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #1a103d; --ink: #f9f7fd; --quiet: #c3bdd8; --line: #463a70; --link: #ff9ad5; --red: #e779c1; --blue: #58c7f3; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 40rem; padding: 0 0 3rem; background: var(--paper); color: var(--ink); font: 16px/1.5 "Inter Variable", Inter, system-ui, sans-serif; overflow-wrap: anywhere; }
.airmail { height: .5rem; background: repeating-linear-gradient(-45deg, var(--red) 0 1rem, var(--paper) 1rem 2rem, var(--blue) 2rem 3rem, var(--paper) 3rem 4rem); }
header, section, nav, article > p, article > ul, main > p { padding: 0 1rem; }
header { display: flex; align-items: center; gap: 1rem; margin: 1.5rem 0 1rem; }
h1 { margin: 0; font: italic 1.75rem/1.2 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; }
header p { margin: 0; }
h2 { margin: 1rem 0 .5rem; padding: 0 1rem; font-size: 1.125rem; }
.face { width: 5rem; height: 5rem; border-radius: 50%; object-fit: cover; }
.quiet { color: var(--quiet); font-size: .875rem; }
.words { white-space: pre-wrap; }
.large { font-size: 1.25rem; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
article { border-top: 1px solid var(--line); padding: 0 0 1rem; margin: 0 0 1rem; }
article img { display: block; width: 100%; height: auto; background: var(--line); }
article a + a img { margin-top: 3px; }
article ul { margin: .5rem 0 0; list-style: none; }
article li { margin: .25rem 0; }
li p { margin: 0; }
.sent { padding-inline-start: 2rem; }
nav { display: flex; justify-content: space-between; gap: 1rem; align-items: center; }
nav a { padding: .75rem 0; }
@media (min-width: 42rem) { article img { border-radius: .5rem; } header, section, nav, article > p, article > ul, main > p, h2 { padding: 0; } }
`;
