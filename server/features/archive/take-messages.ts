import type { ImportedMessage } from "#server/features/archive/archive.inputs.ts";
import {
  leftOut,
  passing,
  reasonOf,
  receivePicture,
} from "#server/features/archive/take-picture.ts";
import type { OpenZip } from "#server/features/archive/zip-reader.ts";
import type { ImportedThreads } from "#server/features/chat/imported-threads.ts";
import type { ReceivedImage } from "#server/features/images/images.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { isRefusal } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { cleanName, isBlank } from "#shared/text.ts";

type Threads = Pick<ImportedThreads, "find" | "add" | "receive">;
type Brought = Parameters<Threads["add"]>[1][number];
type Into = { accountId: string; createdAt: Date };
/** What became of a page of messages. */
type Outcome = { taken: number; known: number; skipped: string[] };

/** Names are shown and never looked up; so long is no honest one. */
const longestName = 200;

/**
 * Brings a page of an archive's messages into the importer's own copies of conversations. What
 * cannot be taken as it is, is left out whole, with a sentence.
 */
export async function takeMessages(
  threads: Threads,
  { accountId, createdAt }: Into,
  zip: OpenZip,
  page: readonly ImportedMessage[],
): Promise<Outcome> {
  const outcome: Outcome = { taken: 0, known: 0, skipped: [] };
  const checked: { brought: Brought; from: ImportedMessage }[] = [];
  for (const from of page) {
    try {
      const brought = broughtFrom(from);
      if (brought) checked.push({ brought, from });
      else outcome.skipped.push(leftOut(nameOf(from), "it has nothing to show"));
    } catch (error) {
      outcome.skipped.push(sentenceAbout(from, error));
    }
  }
  const states = await threads.find(
    accountId,
    checked.map(({ brought }) => brought),
    createdAt,
  );
  let waiting: Brought[] = [];
  const write = async () => {
    await threads.add(accountId, waiting);
    outcome.taken += waiting.length;
    waiting = [];
  };
  for (const [index, { brought, from }] of checked.entries()) {
    const state = states[index];
    if (state !== "missing") {
      outcome[state === "fresh" ? "taken" : "known"] += 1;
      continue;
    }
    try {
      const stored = await pictureOf(threads, zip, accountId, from);
      waiting.push({ ...brought, stored });
      // A file that no row names is swept after an hour: it does not wait for a page to end.
      if (stored) await write();
    } catch (error) {
      outcome.skipped.push(sentenceAbout(from, error));
    }
  }
  await write();
  return outcome;
}

/** As it may be kept, null where there is nothing to keep. */
function broughtFrom(from: ImportedMessage): Brought | null {
  const { id, number, sent, deleted, conversation: threadId } = from;
  const picture = deleted || !from.picture ? null : sizeOf(from.picture);
  if (!deleted && !picture && isBlank(from.text)) return null;
  const body = deleted
    ? ""
    : parseInput(messageInput(picture !== null), { body: from.text, clientKey: null }).body;
  const other = from.with && {
    username: nameFrom(from.with.username),
    name: nameFrom(from.with.name),
  };
  const sentAt = Math.min(from.time, Date.now());
  return { threadId, number, id, sent, body, deleted, sentAt, other, picture, stored: null };
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

const nameFrom = (name: string) => [...cleanName(name)].slice(0, longestName).join("");

/** Its file is there where the account sent it. */
async function pictureOf(
  threads: Threads,
  zip: OpenZip,
  accountId: string,
  { sent, deleted, picture }: ImportedMessage,
): Promise<ReceivedImage | null> {
  const { file, sha256 } = picture ?? {};
  if (!sent || deleted || !file || !sha256) return null;
  return receivePicture(threads, zip, accountId, { file, sha256 });
}

/** Why one was left out; throws what is no refusal of it. */
function sentenceAbout(from: ImportedMessage, error: unknown): string {
  if (!isRefusal(error) || passing(error)) throw error;
  return leftOut(nameOf(from), reasonOf(error));
}

const nameOf = ({ number, with: other }: ImportedMessage) =>
  `Message ${number}${other ? ` with @${nameFrom(other.username)}` : ""}`;
