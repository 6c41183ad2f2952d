import {
  manifestInput,
  parseFile,
  postsInput,
  profileInput,
  type ImportedPost,
} from "#server/features/archive/archive.inputs.ts";
import { archiveFormat } from "#server/features/archive/format.ts";
import { invalid, openZip } from "#server/features/archive/zip-reader.ts";

/**
 * Opens an archive and reads every text of it once, before anything is taken over: what is not as
 * the format says is refused whole, with archive-invalid. Close `zip` afterwards.
 */
export async function readArchive(path: string, tmpDir: string, signal: AbortSignal) {
  const zip = await openZip(path, tmpDir);
  try {
    if (!zip.has("postcard.json")) {
      throw invalid("This zip file is no Postcard archive: postcard.json is missing.");
    }
    const manifest = parseFile(manifestInput, "postcard.json", await zip.readText("postcard.json"));
    if (manifest.version > archiveFormat.version) {
      throw invalid("This archive was written by a newer Postcard than this one can read.");
    }
    const profile = parseFile(profileInput, "profile.json", await zip.readText("profile.json"));
    const { posts: names } = manifest.files;

    async function pageOf(name: string): Promise<ImportedPost[]> {
      return parseFile(postsInput, name, await zip.readText(name)).posts;
    }

    let total = 0;
    const seen = new Set<string>();
    for (const name of names) {
      signal.throwIfAborted();
      for (const { id, pictures } of await pageOf(name)) {
        if (seen.has(id)) throw invalid(`${name} in this archive has a post twice.`);
        seen.add(id);
        total += 1;
        const missing = pictures.find(({ file }) => !zip.has(file));
        if (missing) throw invalid(`${missing.file} is missing in this archive.`);
      }
    }

    async function* posts(): AsyncGenerator<ImportedPost> {
      for (const name of names) yield* await pageOf(name);
    }
    return { zip, profile, total, posts };
  } catch (error) {
    zip.close();
    throw error;
  }
}
