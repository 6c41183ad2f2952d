import type { z } from "zod";
import {
  albumsInput,
  manifestInput,
  messagesInput,
  parseFile,
  postsInput,
  profileInput,
  type ParsedProfile,
} from "#server/features/archive/archive.inputs.ts";
import { archiveFormat } from "#server/features/archive/format.ts";
import { parseJson } from "#shared/exports/parse-json.ts";
import { prepareArchived } from "#server/features/archive/prepare.ts";
import { createTextBudget } from "#shared/exports/text-budget.ts";
import { openZip } from "#server/features/archive/zip-reader.ts";
import { invalid } from "#shared/exports/invalid.ts";
import { limits } from "#shared/limits.ts";

/**
 * Opens an archive and reads what it says about itself and its account. Refuses with archive-invalid
 * everything that is not in the format. Close it afterwards.
 */
export async function readArchive(path: string) {
  const zip = await openZip(path);
  // Each text is read twice: all are checked first, then they are imported.
  const [checking, taking] = [createTextBudget(zip), createTextBudget(zip)];
  const [read, take] = [readerOf(zip, checking), readerOf(zip, taking)];
  try {
    if (!zip.has("postcard.json")) {
      throw invalid("This zip file isn't a Postcard archive: postcard.json is missing.");
    }
    const { version, files } = await read(manifestInput, "postcard.json");
    if (version > archiveFormat.version) {
      throw invalid("This archive comes from a newer version of Postcard than this one.");
    }
    checkNamedOnce([...files.posts, ...files.messages, ...files.albums]);
    const profile = await read(profileInput, "profile.json");

    async function* posts() {
      for (const name of files.posts) {
        yield (await take(postsInput, name)).posts.map((post) => () => prepareArchived(post));
      }
    }
    async function* messages() {
      for (const name of files.messages) yield (await take(messagesInput, name)).messages;
    }

    async function* albums() {
      for (const name of files.albums) yield (await take(albumsInput, name)).albums;
    }

    return {
      kind: "postcard" as const,
      profile,
      /** Reads every text once before anything is imported; returns what there is. */
      check: async () => ({ ...(await checkAll(zip, read, profile, files)), leftOut: [] }),
      /** a file at a time, each to be prepared */
      posts,
      messages,
      albums,
      extractImage: zip.extractImage,
      /** what was read so far */
      spent: { checking: checking.spent, taking: taking.spent },
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

type Zip = Awaited<ReturnType<typeof openZip>>;
type Read = ReturnType<typeof readerOf>;

function readerOf(zip: Zip, budget: ReturnType<typeof createTextBudget>) {
  return async <Schema extends z.ZodType>(schema: Schema, name: string) => {
    const json = await zip.readText(name);
    budget.spend(name, json);
    return parseFile(schema, name, parseJson(name, json));
  };
}

async function checkAll(
  zip: Zip,
  read: Read,
  profile: ParsedProfile,
  files: { posts: string[]; messages: string[]; albums: string[] },
): Promise<{ posts: number; messages: number }> {
  const images = referencedImages(zip);
  if (profile.picture) images.add("profile.json", profile.picture.file);
  const ids = new Set<string>();
  for (const name of files.posts) {
    for (const { id, pictures: own } of (await read(postsInput, name)).posts) {
      if (ids.has(id)) throw invalid(`${name} in this archive has the same post twice.`);
      ids.add(id);
      for (const { file } of own) images.add(name, file);
    }
    if (ids.size > limits.archive.posts) throw tooMany("posts");
  }
  let messages = 0;
  for (const name of files.messages) {
    for (const { picture } of (await read(messagesInput, name)).messages) {
      messages += 1;
      if (picture?.file) images.add(name, picture.file);
    }
    if (messages > limits.archive.messages) throw tooMany("messages");
  }
  const albums = new Set<string>();
  for (const name of files.albums) {
    for (const { id } of (await read(albumsInput, name)).albums) {
      if (albums.has(id)) throw invalid(`${name} in this archive has the same album twice.`);
      albums.add(id);
    }
    if (albums.size > limits.archive.albums) throw tooMany("albums");
  }
  return { posts: ids.size, messages };
}

/** Every image belongs to one item: naming it a second time would decode it again. */
function referencedImages(zip: Zip) {
  const named = new Set<string>();
  return {
    add(where: string, file: string) {
      zip.check(file);
      if (named.has(file)) throw invalid(`${where} in this archive names ${file} a second time.`);
      named.add(file);
    },
  };
}

function checkNamedOnce(files: readonly string[]): void {
  const named = new Set<string>();
  for (const file of files) {
    if (named.has(file)) throw invalid(`postcard.json in this archive names ${file} twice.`);
    named.add(file);
  }
}

const tooMany = (what: "posts" | "messages" | "albums") =>
  invalid(`This archive has more than ${limits.archive[what]} ${what}.`);
