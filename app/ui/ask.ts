import * as common from "#messages/common.json";
import { createStore } from "#app/lib/store.ts";
import type { TextWanted } from "#app/ui/prompt-dialog.tsx";

type Question = { title: string; text?: string; ok?: string; cancel?: string; danger?: boolean };
export type Asked = { key: number } & (
  | { question: Question; wanted: null; resolve: (answer: boolean) => void }
  | { question: Question; wanted: TextWanted; resolve: (answer: string | null) => void }
);

/** Questions that wait for an answer, for the dialog host. */
export const questions = createStore<readonly Asked[]>([]);
let lastKey = 0;

/**
 * Opens a dialog and resolves with true for OK. Without `cancel` there is one button and Escape counts as
 * OK. Browser only; further questions wait for their turn.
 */
export function ask(question: Question): Promise<boolean> {
  lastKey += 1;
  const key = lastKey;
  return new Promise((resolve) => {
    questions.set([...questions.now(), { key, question, wanted: null, resolve }]);
  });
}

/** Asks before something is deleted. */
export const confirmDeletion = (title: string, text: string): Promise<boolean> =>
  ask({ title, text, ok: common.delete, cancel: common.cancel, danger: true });

/** Opens a dialog with one field and resolves with its text, null when it was cancelled. */
export function promptText(question: Question, wanted: TextWanted): Promise<string | null> {
  lastKey += 1;
  const key = lastKey;
  return new Promise((resolve) => {
    questions.set([
      ...questions.now(),
      { key, question: { cancel: common.cancel, ...question }, wanted, resolve },
    ]);
  });
}
