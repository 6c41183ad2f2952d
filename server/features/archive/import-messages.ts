import { skippedMessage, reasonOf } from "#shared/exports/skipped.ts";
import type { ArchiveImages } from "#server/features/archive/open-archive.ts";
import type { PreparedMessage } from "#server/features/archive/prepare.ts";
import { isTransient, receiveImage } from "#server/features/archive/receive-image.ts";
import type { ImportedConversations } from "#server/features/talk/index.ts";
import { isRefusal } from "#shared/errors.ts";

type Conversations = Pick<ImportedConversations, "statesOf" | "add" | "addWithImage" | "receive">;
type Into = { accountId: string; createdAt: Date };
/** The outcome of a batch of messages. */
type Outcome = { taken: number; known: number; skipped: string[] };

/**
 * Imports a batch of an archive's messages into the importer's own copies of conversations. A message that
 * cannot be imported as it is is skipped whole, with a sentence that says why.
 */
export async function importMessages(
  conversations: Conversations,
  { accountId, createdAt }: Into,
  archive: ArchiveImages,
  batch: readonly PreparedMessage[],
): Promise<Outcome> {
  const prepared = batch.flatMap((each) => ("skipped" in each ? [] : [each]));
  const states = await conversations.statesOf(accountId, prepared, createdAt);
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const missing = prepared.filter((_, index) => states[index] === "missing");
  const plain = missing.filter(({ file }) => file === null);
  await conversations.add(accountId, plain);
  const outcome: Outcome = {
    taken: count("fresh") + plain.length,
    known: count("known"),
    skipped: batch.flatMap((each) => ("skipped" in each ? [each.skipped] : [])),
  };
  // Each one by itself: a file that no row names is swept after an hour and must not wait for the end of a
  // batch.
  for (const { label, file, ...message } of missing) {
    if (!file) continue;
    try {
      const stored = await receiveImage(conversations, archive, accountId, file);
      await conversations.addWithImage(accountId, message, stored);
      outcome.taken += 1;
    } catch (error) {
      if (!isRefusal(error) || isTransient(error)) throw error;
      outcome.skipped.push(skippedMessage(label, reasonOf(error)));
    }
  }
  return outcome;
}
