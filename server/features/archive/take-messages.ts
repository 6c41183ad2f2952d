import { leftOut, reasonOf } from "#server/features/archive/left-out.ts";
import type { Pictures } from "#server/features/archive/open-archive.ts";
import type { PreparedMessage } from "#server/features/archive/prepare.ts";
import { passing, receivePicture } from "#server/features/archive/take-picture.ts";
import type { ImportedThreads } from "#server/features/talk/index.ts";
import { isRefusal } from "#shared/errors.ts";

type Threads = Pick<ImportedThreads, "find" | "add" | "receive">;
type Brought = Parameters<Threads["add"]>[1][number];
type Into = { accountId: string; createdAt: Date };
/** What became of a batch of messages. */
type Outcome = { taken: number; known: number; skipped: string[] };

/**
 * Brings a batch of an archive's messages into the importer's own copies of conversations. What
 * cannot be taken as it is, is left out whole, with a sentence.
 */
export async function takeMessages(
  threads: Threads,
  { accountId, createdAt }: Into,
  pictures: Pictures,
  batch: readonly PreparedMessage[],
): Promise<Outcome> {
  const skipped = batch.flatMap((each) => ("skipped" in each ? [each.skipped] : []));
  const brought = batch.flatMap((each) => ("skipped" in each ? [] : [each]));
  const outcome: Outcome = { taken: 0, known: 0, skipped };
  const states = await threads.find(accountId, brought, createdAt);
  let waiting: Brought[] = [];
  const write = async () => {
    await threads.add(accountId, waiting);
    outcome.taken += waiting.length;
    waiting = [];
  };
  for (const [index, { label, file, ...message }] of brought.entries()) {
    const state = states[index];
    if (state !== "missing") {
      outcome[state === "fresh" ? "taken" : "known"] += 1;
      continue;
    }
    try {
      const stored = file ? await receivePicture(threads, pictures, accountId, file) : null;
      waiting.push({ ...message, stored });
      // A file that no row names is swept after an hour: it does not wait for a batch to end.
      if (stored) await write();
    } catch (error) {
      if (!isRefusal(error) || passing(error)) throw error;
      outcome.skipped.push(leftOut(label, reasonOf(error)));
      // One that does not fit any more must not be in the way of the others.
      waiting = waiting.filter(({ stored }) => stored === null);
    }
  }
  await write();
  return outcome;
}
