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

function add(asked: (key: number) => Asked): void {
  lastKey += 1;
  questions.set([...questions.now(), asked(lastKey)]);
}

/**
 * Opens a dialog and resolves with true for OK. Without `cancel` there is one button and Escape counts as
 * OK. Browser only; further questions wait for their turn.
 */
export const ask = (question: Question) =>
  new Promise<boolean>((resolve) => add((key) => ({ key, question, wanted: null, resolve })));

/** Asks before something is deleted. */
export const confirmDeletion = (title: string, text: string): Promise<boolean> =>
  ask({ title, text, ok: common.delete, cancel: common.cancel, danger: true });

/** Opens a dialog with one field and resolves with its text, null when it was cancelled. */
export const promptText = (asked: Question, wanted: TextWanted) =>
  new Promise<string | null>((resolve) => {
    const question = { cancel: common.cancel, ...asked };
    add((key) => ({ key, question, wanted, resolve }));
  });
