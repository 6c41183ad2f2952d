import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { addPage, addImage, pagesOf } from "#server/features/archive/archive-entries.ts";
import {
  messagesPageName,
  renderMessagesPage,
  type ShownMessage,
} from "#server/features/archive/message-pages.ts";
import {
  readImportedMessages,
  readMessages,
  type ArchivedMessage,
} from "#server/features/archive/messages.queries.ts";
import type { PageWords } from "#server/features/archive/page-words.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";

const messagesAPage = 200;

type Deps = {
  db: Database;
  /** where images of messages are stored */
  privateStore: Pick<ImageStore, "openOriginal">;
  zip: ZipWriter;
  language: PageWords;
  /** Called after every page; throws when the work should stop. */
  reportProgress: () => Promise<void>;
};

/** Every conversation of an account, as JSON and as pages for people. */
export async function writeMessages(
  { id, username }: { id: string; username: string },
  { db, privateStore: store, zip, language, reportProgress }: Deps,
): Promise<{ names: string[]; rows: number }> {
  const at = new Date();
  const names: string[] = [];
  let [rows, images] = [0, 0];

  /** Only what the account sent: it never saw the originals of the other person's images. */
  async function addOwn({ sent, picture }: ArchivedMessage) {
    const { key, mediaType, width = 0, height = 0 } = picture ?? {};
    if (!sent || !key || !mediaType) return null;
    images += 1;
    const original = { key, mediaType, width, height };
    return addImage({ store, zip }, `message-${images}`, original);
  }

  const pages = conversationsOf(db, id);
  let { value: messages } = await pages.next();
  while (messages) {
    const { value: next } = await pages.next();
    const [written, shown]: [object[], ShownMessage[]] = [[], []];
    for (const message of messages) {
      const filed = await addOwn(message);
      written.push(entry(message, filed));
      shown.push({ ...message, file: filed?.file ?? null });
    }
    await addPage(zip, { list: "messages", names, at }, written);
    const page = names.length;
    const html = renderMessagesPage({ username, messages: shown, page, last: !next, language });
    await zip.addText(messagesPageName(page), html, at);
    rows += messages.length;
    messages = next;
    await reportProgress();
  }
  return { names, rows };
}

/** Conversations on this server, then those imported from an archive. */
async function* conversationsOf(db: Database, id: string) {
  for (const read of [readMessages, readImportedMessages]) {
    yield* pagesOf<ArchivedMessage>((after) => read(db, id, after, messagesAPage));
  }
}

type Filed = Awaited<ReturnType<typeof addImage>>;

function entry(message: ArchivedMessage, filed: Filed) {
  const { id, time, conversation, number, with: other, sent, text, deleted, imported } = message;
  const { picture } = message;
  const size = picture && { width: picture.width, height: picture.height };
  const about = { id, time, conversation, number, with: other };
  return { ...about, sent, text, deleted, imported, picture: filed ?? size };
}
