import type { ParsedAlbum } from "#server/features/archive/archive.inputs.ts";
import { reasonOf, skippedMessage } from "#shared/exports/skipped.ts";
import type { AlbumFromArchive, AlbumPlace } from "#server/features/posts/index.ts";
import { newAlbumInput } from "#shared/albums.inputs.ts";
import { isRefusal } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { cleanName } from "#shared/text.ts";

export type PreparedAlbum = AlbumFromArchive & {
  /** usernames */
  contributors: string[];
};

export type PreparedAlbums = {
  albums: PreparedAlbum[];
  /** sentences about what is left out */
  skipped: string[];
  /** of a post by its id: one album at most where it was uploaded into that */
  placesOf: (postId: string) => AlbumPlace[];
};

/** Names are shown and never looked up; no honest one is this long. */
const longestName = 60;
const { items: mostItems, ofOne } = limits.albums;

/** No more albums and items than an account may have; the rest is counted. */
export async function prepareAlbums(
  files: AsyncIterable<readonly ParsedAlbum[]>,
): Promise<PreparedAlbums> {
  const albums: PreparedAlbum[] = [];
  const skipped: string[] = [];
  const places = new Map<string, AlbumPlace[]>();
  let read = 0;
  for await (const file of files) {
    for (const from of file) {
      read += 1;
      if (read > ofOne) continue;
      const problem = prepare(from, albums);
      if (problem) skipped.push(problem);
      else skipped.push(...place(from, places));
    }
  }
  if (read > ofOne) {
    skipped.push(`${read - ofOne} albums were left out: an account has ${ofOne} at most.`);
  }
  return { albums, skipped, placesOf: (postId) => places.get(postId.toLowerCase()) ?? [] };
}

const labelOf = ({ title }: ParsedAlbum) =>
  `Album “${[...cleanName(title)].slice(0, longestName).join("")}”`;

/** Adds it to `albums`; else the sentence that says why not. */
function prepare(from: ParsedAlbum, albums: PreparedAlbum[]): string | null {
  const { id, time, contributors, title, description, audience, order } = from;
  try {
    const words = parseInput(newAlbumInput, { title, description, audience, order });
    const { clientKey: _, ...checked } = words;
    const names = contributors.map(({ username }) => cleanName(username).slice(0, longestName));
    albums.push({ id, time, ...checked, contributors: names });
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return skippedMessage(labelOf(from), reasonOf(error));
  }
}

/** The places of its posts, each once; a sentence where there are too many. */
function place(from: ParsedAlbum, places: Map<string, AlbumPlace[]>): string[] {
  const cover = from.cover?.toLowerCase();
  const own = new Set<string>();
  for (const { id, uploaded } of from.items) {
    const postId = id?.toLowerCase();
    if (!postId || own.has(postId)) continue;
    own.add(postId);
    if (own.size > mostItems) continue;
    const here = { album: from.id, position: own.size, uploaded, cover: postId === cover };
    const there = places.get(postId) ?? [];
    if (there.some((one) => one.uploaded)) continue;
    places.set(postId, uploaded ? [here] : [...there, here]);
  }
  const more = own.size - mostItems;
  if (more <= 0) return [];
  return [`${labelOf(from)} is here without ${more} of its photos: it has ${mostItems} at most.`];
}
