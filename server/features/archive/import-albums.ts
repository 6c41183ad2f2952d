import type { Database } from "#server/platform/db/database.ts";
import type { PreparedAlbum, PreparedAlbums } from "#server/features/archive/prepare-albums.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";
import { importAlbum } from "#server/features/posts/index.ts";
import { limits } from "#shared/limits.ts";

/** Contributors whom one sentence names. */
const mostNames = 20;

type Into = { id: string; accountId: string; createdAt: Date };

/**
 * Makes an archive's albums, empty: their posts go into them one by one as they are imported. Answers sentences
 * about what is left out, the people among it.
 */
export async function importAlbums(
  db: Database,
  { id: importId, accountId: ownerId, createdAt: since }: Into,
  { albums, skipped }: Pick<PreparedAlbums, "albums" | "skipped">,
): Promise<string[]> {
  const sentences = [...skipped];
  const taken: PreparedAlbum[] = [];
  for (const { contributors, ...album } of albums) {
    const outcome = await importAlbum(db, { ownerId, importId, since }, album);
    if (outcome === "taken") taken.push({ contributors, ...album });
    if (outcome !== "full") continue;
    const why = `an account has ${limits.albums.ofOne} albums at most.`;
    sentences.push(skippedMessage(`Album “${album.title}”`, why));
  }
  return [...taken.flatMap(withoutOthers), ...sentences];
}

function withoutOthers({ title, contributors }: PreparedAlbum): string[] {
  if (contributors.length === 0) return [];
  const names = contributors.slice(0, mostNames).map((name) => `@${name}`);
  const more = contributors.length - names.length;
  if (more > 0) names.push(`${more} more`);
  return [
    `Album “${title}” is here without its contributors and their photos: ${names.join(", ")}. You can invite them again.`,
  ];
}
