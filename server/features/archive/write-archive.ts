import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/db/database.ts";
import { timeOf } from "#server/db/ids.ts";
import * as queries from "#server/features/archive/archive.queries.ts";
import type { ArchivedPost } from "#server/features/archive/archive.queries.ts";
import { addPicture, json, numbered } from "#server/features/archive/archive-entries.ts";
import { pageOfPosts, pageName, styleSheet } from "#server/features/archive/archive-pages.ts";
import { archiveFormat } from "#server/features/archive/format.ts";
import { writeMessages } from "#server/features/archive/write-messages.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";
import { readSettings } from "#server/features/talk/index.ts";
import { refuse } from "#shared/errors.ts";

const postsAPage = 50;
const rowsAPage = 500;
const commentsUnderAPost = 50;

type Deps = {
  db: Database;
  store: Pick<ImageStore, "openOriginal">;
  /** where pictures of messages lie */
  privateStore: Pick<ImageStore, "openOriginal">;
  origin: string;
  zip: ZipWriter;
  /** Called after every page of posts; throws when the work is to stop. */
  onProgress: (done: number, total: number) => Promise<void>;
};

/**
 * Writes everything of an account into a zip, a page of rows and one picture at a time.
 * docs/export-format.md describes the files.
 */
export async function writeArchive(accountId: string, deps: Deps): Promise<void> {
  const { db, zip, origin, onProgress } = deps;
  const now = new Date();
  const profile = await queries.readProfile(db, accountId);
  if (!profile) throw refuse("not-found");
  const total = profile.counts.posts;

  const { picture, counts, pictureBytes: _, settings, mutedWords, ...words } = profile;
  const avatar = picture && (await addPicture(deps, "profile", picture));
  const notifications = await readSettings(db, accountId);
  const set = { ...settings, mutedWords, notifications };
  await zip.addText("profile.json", json({ ...words, picture: avatar, settings: set }), now);

  let pictures = 0;
  const files: Record<string, string[]> = { posts: [] };
  let done = 0;
  for await (const posts of pagesOfPosts(deps, accountId)) {
    const written = [];
    for (const post of posts) {
      const { pictures: stored, ...rest } = post;
      const filed = [];
      for (const [index, each] of stored.entries()) {
        const file = await addPicture(deps, `${post.number}-${index + 1}`, each);
        const { alt, focalPoint, camera, place } = each;
        if (file) filed.push({ ...file, alt, focalPoint, camera, place });
      }
      pictures += filed.length;
      written.push({ ...rest, pictures: filed });
    }
    const name = numbered("posts", (files["posts"]?.length ?? 0) + 1);
    await zip.addText(name, json({ posts: written }), now);
    files["posts"]?.push(name);
    done += posts.length;
    await onProgress(done, Math.max(done, total));
  }

  const listed: Record<string, number> = {};
  for (const [list, read] of Object.entries(queries.lists)) {
    const { names, rows } = await addList(deps, list, (after) =>
      read(db, { accountId, after, limit: rowsAPage }),
    );
    files[list] = names;
    listed[list] = rows;
    await onProgress(done, Math.max(done, total));
  }

  const messages = await writeMessages(profile, {
    ...deps,
    goOn: () => onProgress(done, Math.max(done, total)),
  });
  files["messages"] = messages.names;
  listed["messages"] = messages.rows;

  await addPages(deps, { profile, messages: messages.rows }, now);
  const manifest = {
    ...archiveFormat,
    exportedAt: now.getTime(),
    origin,
    account: { id: profile.id, username: profile.username },
    counts: { ...counts, posts: done, pictures, ...listed },
    files: { profile: "profile.json", ...files },
  };
  await zip.addText("postcard.json", json(manifest), now);

  async function addList(
    { zip: into }: Deps,
    list: string,
    read: (after: queries.Listed | null) => Promise<queries.Listed[]>,
  ) {
    const names: string[] = [];
    let rows = 0;
    let after: queries.Listed | null = null;
    for (;;) {
      const page: queries.Listed[] = await read(after);
      if (page.length === 0) return { names, rows };
      // what is about somebody who cannot be seen any more has no item
      const items = page
        .filter(({ item }) => item !== null)
        .map(({ id, item }) => ({ time: timeOf(id), ...item }));
      const name = numbered(list, names.length + 1);
      await into.addText(name, json({ [list]: items }), now);
      names.push(name);
      rows += items.length;
      after = page.at(-1) ?? null;
    }
  }
}

async function* pagesOfPosts({ db }: Deps, accountId: string): AsyncGenerator<ArchivedPost[]> {
  let after: string | null = null;
  for (;;) {
    const posts: ArchivedPost[] = await queries.readPosts(db, accountId, { after }, postsAPage);
    if (posts.length === 0) return;
    yield posts;
    after = posts.at(-1)?.id ?? null;
  }
}

/** The pages that a browser opens without a network, newest posts first. */
async function addPages(
  { db, zip }: Deps,
  { profile, messages }: { profile: queries.ArchivedProfile; messages: number },
  now: Date,
): Promise<void> {
  await zip.addText("pages/style.css", styleSheet, now);
  const pages = Math.max(1, Math.ceil(profile.counts.posts / postsAPage));
  let before: string | null = null;
  for (let page = 1; page <= pages; page += 1) {
    const posts: ArchivedPost[] = await queries.readPosts(db, profile.id, { before }, postsAPage);
    const ids = posts.map(({ id }) => id);
    const most = commentsUnderAPost;
    const comments = await queries.readCommentsUnder(db, profile.id, ids, most);
    const html = pageOfPosts({
      profile,
      messages,
      posts,
      comments,
      page,
      pages,
      at: now,
    });
    await zip.addText(pageName(page), html, now);
    before = posts.at(-1)?.id ?? before;
  }
}
