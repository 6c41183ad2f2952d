import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/people/muted-words/muted-words.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { foldWords } from "#shared/muted-words.ts";
import { mutedWordInput } from "#shared/muted-words.inputs.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** after the commit: existing notifications may have words that are muted now */
  onMuted?: (viewer: Viewer) => Promise<void>;
};

/** Words and phrases that a member does not want to see, in the order in which they were added. */
export function createMutedWords({ db, onMuted }: Deps) {
  const list = (viewer: Viewer): Promise<string[]> => queries.readWords(db, viewer.id);

  /**
   * Answers all of them. One that compares equal to an existing one changes nothing. Refuses with
   * input-invalid and muted-words-full.
   */
  async function mute(viewer: Viewer, typed: string): Promise<string[]> {
    const { word } = parseInput(mutedWordInput, { word: typed });
    const { before, words } = await db.transaction(async () => {
      const held = await queries.lockWords(db, viewer.id);
      if (held.some(sameAs(word))) return { before: held, words: held };
      if (held.length >= limits.mutedWords) throw refuse("muted-words-full");
      const more = [...held, word];
      await queries.writeWords(db, viewer.id, more);
      return { before: held, words: more };
    });
    if (words !== before) await onMuted?.({ ...viewer, mutedWords: words });
    return words;
  }

  /** Answers those that are left. One that is not in the list changes nothing. */
  async function unmute(viewer: Viewer, typed: string): Promise<string[]> {
    const { word } = parseInput(mutedWordInput, { word: typed });
    return db.transaction(async () => {
      const held = await queries.lockWords(db, viewer.id);
      const left = held.filter((one) => !sameAs(word)(one));
      if (left.length < held.length) await queries.writeWords(db, viewer.id, left);
      return left;
    });
  }

  return { list, mute, unmute };
}

const sameAs = (word: string) => {
  const folded = foldWords(word);
  return (other: string) => foldWords(other) === folded;
};
