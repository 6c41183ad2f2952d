import type { Database } from "#server/platform/db/database.ts";
import {
  albumPageName,
  albumsPageName,
  renderAlbumPage,
  renderAlbumsPage,
} from "#server/features/archive/album-pages.ts";
import { readAlbums, type ArchivedAlbum } from "#server/features/archive/albums.queries.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { addPage, pagesOf } from "#server/features/archive/archive-entries.ts";
import type { PageWords } from "#server/features/archive/page-words.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";

/** With 1,000 items each, far below the number of values that a reader accepts in one file. */
const albumsAPage = 10;

type Deps = {
  db: Database;
  zip: ZipWriter;
  language: PageWords;
  /** Called after every page; throws when the work should stop. */
  reportProgress: () => Promise<void>;
};

/** Every album of an account's own, as JSON and as pages for people. */
export async function writeAlbums(
  { id, username }: { id: string; username: string },
  { db, zip, language, reportProgress }: Deps,
): Promise<{ names: string[]; rows: number }> {
  const at = new Date();
  const names: string[] = [];
  const titles: string[] = [];
  const pages = pagesOf<ArchivedAlbum>((last) => readAlbums(db, id, last?.id ?? null, albumsAPage));
  for await (const albums of pages) {
    await addPage(zip, { list: "albums", names, at }, albums.map(entry));
    for (const album of albums) {
      titles.push(album.title);
      await zip.addText(albumPageName(titles.length), renderAlbumPage(language, album), at);
    }
    await reportProgress();
  }
  if (titles.length > 0) {
    await zip.addText(albumsPageName, renderAlbumsPage(language, username, titles), at);
  }
  return { names, rows: titles.length };
}

/** Captions and photos stand with the posts. */
function entry({ id: albumId, items, ...album }: ArchivedAlbum) {
  const entries = items.map((item) => {
    if (item.post === null) return item;
    const { post, id, uploaded } = item;
    return { post, id, uploaded };
  });
  return { id: albumId, time: timeOf(albumId), ...album, items: entries };
}
