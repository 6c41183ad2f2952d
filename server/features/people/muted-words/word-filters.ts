import { isDeepStrictEqual } from "node:util";
import type { Database } from "#server/platform/db/database.ts";
import { decimalOf, decimalOfWords } from "#server/platform/db/decimal-ids.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import {
  lockWords,
  readWords,
  writeWords,
} from "#server/features/people/muted-words/muted-words.queries.ts";
import * as queries from "#server/features/people/muted-words/word-filters.queries.ts";
import type { StoredFilter } from "#server/features/people/muted-words/word-filters.queries.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { foldWords } from "#shared/muted-words.ts";
import { mutedWordInput, wordFilterInput } from "#shared/muted-words.inputs.ts";
import type { Viewer } from "#shared/views.ts";

/** A word's id is made of it, so that it is the same in every filter, and no word needs a row. */
export type FilterKeyword = { id: string; word: string };
export type WordFilter = { id: string; title: string; keywords: FilterKeyword[] };

type State = { words: string[]; filters: StoredFilter[] };
type Change = {
  title?: string | undefined;
  /** words to be muted with it */
  add: readonly string[];
  /** keywords that become other words, by their ids */
  rename: readonly FilterKeyword[];
  /** ids of keywords that are unmuted */
  remove: readonly string[];
};

type Deps = {
  db: Database;
  newId: NewId;
  /** after the commit: existing notifications may have words that are muted now */
  onMuted?: (viewer: Viewer) => Promise<void>;
};

/**
 * Muted words in groups with titles, as apps have them. A word that was muted without one, on our own pages, is a
 * filter by itself. Refuses like muting a word, and with not-found.
 */
export function createWordFilters(deps: Deps) {
  const { db, newId } = deps;
  const update = <Result>(viewer: Viewer, work: (state: State) => Result) =>
    change(deps, viewer, work);

  return {
    list: async (viewer: Viewer): Promise<WordFilter[]> => {
      const [words, filters] = await Promise.all([
        readWords(db, viewer.id),
        queries.readFilters(db, viewer.id),
      ]);
      return shown({ words, filters });
    },

    create: (viewer: Viewer, title: string, words: readonly string[]): Promise<WordFilter> =>
      update(viewer, (state) => {
        if (state.filters.length >= limits.mutedWords) throw refuse("muted-words-full");
        const filter = { id: decimalOf(newId()), title: parseTitle(title), words: [] };
        state.filters.push(filter);
        for (const word of words) put(state, filter, word);
        return shownOne(state, filter);
      }),

    edit: (viewer: Viewer, id: string, asked: Change): Promise<WordFilter> =>
      update(viewer, (state) => {
        const filter = filterWith(state, id);
        if (asked.title !== undefined) filter.title = parseTitle(asked.title);
        for (const keyword of asked.remove) unmute(state, keyword);
        for (const { id: keyword, word } of asked.rename) rename(state, keyword, word);
        for (const word of asked.add) put(state, filter, word);
        return shownOne(state, filter);
      }),

    /** Its words are muted no more, unless they are in another one. */
    remove: (viewer: Viewer, id: string): Promise<void> =>
      update(viewer, (state) => {
        const filter = filterWith(state, id);
        state.filters = state.filters.filter((one) => one !== filter);
        const others = new Set(state.filters.flatMap(({ words }) => words));
        const ended = new Set(filter.words.filter((word) => !others.has(word)));
        state.words = state.words.filter((word) => !ended.has(foldWords(word)));
      }),

    addKeyword: (viewer: Viewer, id: string, word: string): Promise<FilterKeyword> =>
      update(viewer, (state) => keywordOf(put(state, filterWith(state, id), word))),

    editKeyword: (viewer: Viewer, id: string, word: string): Promise<FilterKeyword> =>
      update(viewer, (state) => keywordOf(rename(state, id, word))),

    removeKeyword: (viewer: Viewer, id: string): Promise<void> =>
      update(viewer, (state) => unmute(state, id)),
  };
}

/** Changes of one member's words go one by one, and all of a change is stored or nothing. */
async function change<Result>(
  { db, onMuted }: Deps,
  viewer: Viewer,
  work: (state: State) => Result,
): Promise<Result> {
  const { result, words, more } = await db.transaction(async () => {
    const held = await lockWords(db, viewer.id);
    const before = { words: held, filters: await queries.readFilters(db, viewer.id) };
    const state = structuredClone(before);
    const done = work(state);
    const muted = new Set(state.words.map(foldWords));
    const filters = state.filters.map((filter) => ({
      ...filter,
      words: filter.words.filter((word) => muted.has(word)),
    }));
    if (!isDeepStrictEqual(state.words, held)) await writeWords(db, viewer.id, state.words);
    if (!isDeepStrictEqual(filters, before.filters))
      await queries.writeFilters(db, viewer.id, filters);
    const added = state.words.some((word) => !held.includes(word));
    return { result: done, words: state.words, more: added };
  });
  if (more) await onMuted?.({ ...viewer, mutedWords: words });
  return result;
}

const idOf = (word: string): string => decimalOfWords(foldWords(word));
const keywordOf = (word: string): FilterKeyword => ({ id: idOf(word), word });

const parseWord = (typed: string) => parseInput(mutedWordInput, { word: typed }).word;
const parseTitle = (typed: string) => parseInput(wordFilterInput, { title: typed }).title;

const shownOne = ({ words }: State, { id, title, ...filter }: StoredFilter): WordFilter => ({
  id,
  title,
  keywords: words.filter((word) => filter.words.includes(foldWords(word))).map(keywordOf),
});

function shown(state: State): WordFilter[] {
  return [...state.filters, ...state.words.flatMap((word) => alone(state, word) ?? [])].map((one) =>
    shownOne(state, one),
  );
}

/** The filter that a word is by itself; null where it is in one. */
function alone({ filters }: State, word: string): StoredFilter | null {
  const folded = foldWords(word);
  return filters.some(({ words }) => words.includes(folded))
    ? null
    : { id: idOf(word), title: word, words: [folded] };
}

/** One that a word is by itself is stored from now on. */
function filterWith(state: State, id: string): StoredFilter {
  const stored = state.filters.find((filter) => filter.id === id);
  if (stored) return stored;
  const word = found(state.words.find((one) => idOf(one) === id));
  const made = found(alone(state, word));
  state.filters.push(made);
  return made;
}

/** Answers the word as it is muted: one that compares equal is not muted twice. */
function put(state: State, filter: StoredFilter, typed: string): string {
  const word = parseWord(typed);
  const folded = foldWords(word);
  if (!filter.words.includes(folded)) filter.words.push(folded);
  const known = state.words.find((one) => foldWords(one) === folded);
  if (known !== undefined) return known;
  if (state.words.length >= limits.mutedWords) throw refuse("muted-words-full");
  state.words.push(word);
  return word;
}

function unmute(state: State, id: string): void {
  const word = found(state.words.find((one) => idOf(one) === id));
  state.words = state.words.filter((one) => one !== word);
}

/** Answers the word as it is from now on, in every filter that has it. */
function rename(state: State, id: string, typed: string): string {
  const before = found(state.words.find((one) => idOf(one) === id));
  const word = parseWord(typed);
  const [from, to] = [foldWords(before), foldWords(word)];
  state.words = state.words
    .filter((one) => one === before || foldWords(one) !== to)
    .map((one) => (one === before ? word : one));
  for (const filter of state.filters) {
    filter.words = [...new Set(filter.words.map((one) => (one === from ? to : one)))];
  }
  return word;
}
