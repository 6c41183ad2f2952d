import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/archive/archive.queries.ts";
import { addPage, addImage, json, pagesOf } from "#server/features/archive/archive-entries.ts";
import {
  renderPostsPage,
  pageName,
  styleSheet,
  type PageOfPosts,
} from "#server/features/archive/archive-pages.ts";
import { archiveFormat } from "#server/features/archive/format.ts";
import { lists, type Listed } from "#server/features/archive/lists.queries.ts";
import { writeAlbums } from "#server/features/archive/write-albums.ts";
import { writeMessages } from "#server/features/archive/write-messages.ts";
import { pageWords } from "#server/features/archive/page-words.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";
import { readersLanguage } from "#server/platform/messages.ts";
import { readSettings } from "#server/features/talk/index.ts";
import { found } from "#shared/errors.ts";

const postsAPage = 50;
const rowsAPage = 500;
const commentsUnderAPost = 50;

type Deps = {
  db: Database;
  store: Pick<ImageStore, "openOriginal">;
  /** where images of messages are stored */
  privateStore: Pick<ImageStore, "openOriginal">;
  origin: string;
  /** those that are offered */
  languages: readonly string[];
  zip: ZipWriter;
  /** Called after every page of posts; throws when the work should stop. */
  onProgress: (done: number, total: number) => Promise<void>;
};

/**
 * Writes everything of an account into a zip, one page of rows and one image at a time.
 * docs/export-format.md describes the files.
 */
export async function writeArchive(accountId: string, deps: Deps): Promise<void> {
  const { db, zip, origin, onProgress } = deps;
  const at = new Date();
  const profile = found(await queries.readProfile(db, accountId));
  const { id, username, counts, settings } = profile;
  const language = pageWords(readersLanguage(settings.language, deps.languages));
  let done = 0;
  const reportProgress = () => onProgress(done, Math.max(done, counts.posts));

  await addProfile(deps, profile, at);
  const posts = await addPosts(deps, { accountId, at }, (more) => {
    done += more;
    return reportProgress();
  });
  const written: Record<string, Written> = {};
  for (const [list, read] of Object.entries(lists)) {
    const names: string[] = [];
    let rows = 0;
    const pages = pagesOf<Listed>((after) => read(db, { accountId, after, limit: rowsAPage }));
    for await (const page of pages) {
      // rows about people who can no longer be seen have no item
      const items = page.flatMap((row) =>
        row.item === null ? [] : [{ time: timeOf(row.id), ...row.item }],
      );
      await addPage(zip, { list, names, at }, items);
      rows += items.length;
    }
    written[list] = { names, rows };
    await reportProgress();
  }
  written["albums"] = await writeAlbums(profile, { ...deps, language, reportProgress });
  written["messages"] = await writeMessages(profile, { ...deps, language, reportProgress });

  const [albums, messages] = [written["albums"].rows, written["messages"].rows];
  await addPages(deps, { profile, albums, messages, language }, at);
  const rowsOf = mapOf(written, ({ rows }) => rows);
  const manifest = {
    ...archiveFormat,
    exportedAt: at.getTime(),
    origin,
    account: { id, username },
    counts: { ...counts, posts: done, pictures: posts.pictures, ...rowsOf },
    files: { profile: "profile.json", posts: posts.names, ...mapOf(written, ({ names }) => names) },
  };
  await zip.addText("postcard.json", json(manifest), at);
}

/** The files of a list, and how many rows they have. */
type Written = { names: string[]; rows: number };

const mapOf = <Value>(written: Record<string, Written>, pick: (one: Written) => Value) =>
  Object.fromEntries(Object.entries(written).map(([list, one]) => [list, pick(one)]));

async function addProfile(deps: Deps, profile: queries.ArchivedProfile, at: Date): Promise<void> {
  const { picture, counts: _, imageBytes: __, settings, mutedWords, ...rest } = profile;
  const { wordFilters, ...words } = rest;
  const avatar = picture && (await addImage(deps, "profile", picture));
  const notifications = await readSettings(deps.db, profile.id);
  const titled = wordFilters.map(({ title, words: grouped }) => ({ title, words: grouped }));
  const set = { ...settings, mutedWords, wordFilters: titled, notifications };
  await deps.zip.addText("profile.json", json({ ...words, picture: avatar, settings: set }), at);
}

/**
 * Oldest first, with the originals of their photos; `reportProgress` gets the number of posts in each page.
 */
async function addPosts(
  deps: Deps,
  { accountId, at }: { accountId: string; at: Date },
  reportProgress: (more: number) => Promise<void>,
): Promise<{ names: string[]; pictures: number }> {
  const names: string[] = [];
  let pictures = 0;
  const pages = pagesOf<queries.ArchivedPost>((last) =>
    queries.readPosts(deps.db, accountId, { after: last?.id ?? null }, postsAPage),
  );
  for await (const posts of pages) {
    const written = [];
    for (const post of posts) {
      const filed = [];
      for (const [index, each] of post.pictures.entries()) {
        const file = await addPhoto(deps, accountId, `${post.number}-${index + 1}`, each);
        const { alt, focalPoint, camera, place } = each;
        if (file) filed.push({ ...file, alt, focalPoint, camera, place });
      }
      pictures += filed.length;
      written.push({ ...post, pictures: filed });
    }
    await addPage(deps.zip, { list: "posts", names, at }, written);
    await reportProgress(posts.length);
  }
  return { names, pictures };
}

/** A photo of a post; it may have got another key since the post was read. */
async function addPhoto(deps: Deps, accountId: string, name: string, image: queries.ArchivedImage) {
  const file = await addImage(deps, name, image);
  if (file) return file;
  const key = await queries.laterKey(deps.db, accountId, image.key);
  return key === null ? null : addImage(deps, name, { ...image, key });
}

/** Pages that a browser opens without a network, newest posts first. */
async function addPages(
  { db, zip }: Deps,
  shown: Pick<PageOfPosts, "profile" | "albums" | "messages" | "language">,
  at: Date,
): Promise<void> {
  const { profile } = shown;
  await zip.addText("pages/style.css", styleSheet, at);
  const pages = Math.max(1, Math.ceil(profile.counts.posts / postsAPage));
  let before: string | null = null;
  for (let page = 1; page <= pages; page += 1) {
    const posts: queries.ArchivedPost[] = await queries.readPosts(
      db,
      profile.id,
      { before },
      postsAPage,
    );
    const ids = posts.map(({ id }) => id);
    const most = commentsUnderAPost;
    const comments = await queries.readCommentsUnder(db, profile.id, ids, most);
    const html = renderPostsPage({ ...shown, posts, comments, page, pages, at });
    await zip.addText(pageName(page), html, at);
    before = posts.at(-1)?.id ?? before;
  }
}
