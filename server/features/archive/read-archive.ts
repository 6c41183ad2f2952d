import {
  manifestInput,
  messagesInput,
  parseFile,
  postsInput,
  profileInput,
  type ImportedMessage,
  type ImportedPost,
} from "#server/features/archive/archive.inputs.ts";
import { archiveFormat } from "#server/features/archive/format.ts";
import { invalid, openZip } from "#server/features/archive/zip-reader.ts";
import { limits } from "#shared/limits.ts";

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
    const { posts: names, messages: messageNames } = manifest.files;

    async function pageOf(name: string): Promise<ImportedPost[]> {
      return parseFile(postsInput, name, await zip.readText(name)).posts;
    }

    async function messagesOf(name: string): Promise<ImportedMessage[]> {
      return parseFile(messagesInput, name, await zip.readText(name)).messages;
    }

    const totals = { posts: 0, messages: 0 };
    const seen = new Set<string>();
    for (const name of names) {
      signal.throwIfAborted();
      for (const { id, pictures } of await pageOf(name)) {
        if (seen.has(id)) throw invalid(`${name} in this archive has a post twice.`);
        seen.add(id);
        totals.posts += 1;
        for (const { file } of pictures) zip.check(file);
      }
    }
    for (const name of messageNames) {
      signal.throwIfAborted();
      for (const { picture } of await messagesOf(name)) {
        totals.messages += 1;
        if (picture?.file) zip.check(picture.file);
      }
      if (totals.messages > limits.archive.messages) {
        throw invalid(`This archive has more than ${limits.archive.messages} messages.`);
      }
    }

    async function* posts(): AsyncGenerator<ImportedPost> {
      for (const name of names) yield* await pageOf(name);
    }
    /** A page at a time. */
    async function* messages(): AsyncGenerator<ImportedMessage[]> {
      for (const name of messageNames) yield await messagesOf(name);
    }
    return { zip, profile, totals, posts, messages };
  } catch (error) {
    zip.close();
    throw error;
  }
}
