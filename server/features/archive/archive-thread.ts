// Reads an archive in a worker thread: whatever the file contains, only its importer waits, and it gets no
// more memory than the thread was given. Answers one question at a time (open-archive.ts).
import { parentPort, workerData } from "node:worker_threads";
import { toBatches } from "#server/features/archive/archive-batches.ts";
import type { ParsedProfile } from "#server/features/archive/archive.inputs.ts";
import { prepareAlbums, type PreparedAlbums } from "#server/features/archive/prepare-albums.ts";
import {
  prepareMessage,
  type PreparedMessage,
  type PreparedPost,
} from "#server/features/archive/prepare.ts";
import { openReader } from "#server/features/archive/readers/open-reader.ts";
import type { ArchiveKind } from "#shared/archive.ts";
import { isRefusal, type RefusalCode } from "#shared/errors.ts";

export type Reading = {
  path: string;
  /** of days that say no time zone; the release before gives none */
  zone?: string;
  /** how many posts and messages earlier runs imported */
  done: { posts: number; messages: number };
};

/** The questions and their answers. */
export type Answers = {
  /** the archive is valid; what it is, how much it contains, and what of it does not come over */
  check: { kind: ArchiveKind; posts: number; messages: number; leftOut: string[] };
  profile: ParsedProfile;
  albums: Pick<PreparedAlbums, "albums" | "skipped">;
  /** the next ones, null after the last */
  posts: PreparedPost[] | null;
  messages: PreparedMessage[] | null;
  picture: null;
};

export type Question =
  | { ask: Exclude<keyof Answers, "picture"> }
  | { ask: "picture"; file: string; sha256: string | null; path: string };

export type Reply =
  | { value: Answers[keyof Answers] }
  | { refused: { code: RefusalCode; message: string } }
  | { failed: unknown };

/** Decoding an image takes about a second: a batch is done in a few. */
const most = { items: 20, images: 5, characters: 64 * 1024 };
const mostMessages = { ...most, items: 200 };

const { path, zone, done } = workerData as Reading;
const opening = openReader(path, zone).then(async (archive) => {
  const { placesOf, ...albums } = await prepareAlbums(archive.albums());
  const prepared = (prepare: () => PreparedPost) => {
    const post = prepare();
    return { ...post, albums: post.id === null ? [] : placesOf(post.id) };
  };
  return {
    archive,
    albums,
    posts: toBatches(archive.posts(), { skip: done.posts, most }, prepared, weighPost),
    messages: toBatches(
      archive.messages(),
      { skip: done.messages, most: mostMessages },
      prepareMessage,
      weighMessage,
    ),
  };
});
// the first question gets the error
opening.catch(() => undefined);

parentPort?.on("message", (question: Question) => {
  void answer(question).then(
    (value) => say({ value }),
    (error: unknown) => say(isRefusal(error) ? { refused: plain(error) } : { failed: error }),
  );
});

async function answer(question: Question): Promise<Answers[keyof Answers]> {
  const { archive, albums, posts, messages } = await opening;
  switch (question.ask) {
    case "check":
      return { ...(await archive.check()), kind: archive.kind };
    case "profile":
      return archive.profile;
    case "albums":
      return albums;
    case "posts":
      return (await posts.next()).value ?? null;
    case "messages":
      return (await messages.next()).value ?? null;
    // In the words of the release before, whose processes start this file while they are replaced.
    case "picture":
      await archive.extractImage(question.file, question.sha256, question.path);
      return null;
  }
}

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const say = (said: Reply) => parentPort?.postMessage(said);

const plain = ({ code, message }: { code: RefusalCode; message: string }) => ({ code, message });

function weighPost(post: PreparedPost) {
  if ("skipped" in post) return { images: 0, characters: post.skipped.length };
  const { pictures, earlier } = post;
  const said = [post, ...earlier].flatMap((each) => [each.caption, each.warning ?? ""]);
  const words = [...said, ...pictures.map(({ alt }) => alt)];
  const characters = words.reduce((sum, text) => sum + text.length, 0);
  return { images: pictures.length, characters };
}

function weighMessage(message: PreparedMessage) {
  if ("skipped" in message) return { images: 0, characters: message.skipped.length };
  return { images: message.file ? 1 : 0, characters: message.body.length };
}
