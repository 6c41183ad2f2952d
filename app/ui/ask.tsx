import { useSyncExternalStore } from "react";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";
import type { TextWanted } from "#app/ui/prompt-dialog.tsx";

type Question = { title: string; text?: string; ok?: string; cancel?: string; danger?: boolean };
type Asked = { key: number } & (
  | { question: Question; wanted: null; resolve: (answer: boolean) => void }
  | { question: Question; wanted: TextWanted; resolve: (answer: string | null) => void }
);

const PromptDialog = lazyPiece(
  async () => (await import("#app/ui/prompt-dialog.tsx")).PromptDialog,
  ({ onAnswer }) => {
    tellAway();
    onAnswer(null);
  },
);

let asked: readonly Asked[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();

function change(next: readonly Asked[]): void {
  asked = next;
  for (const listener of listeners) listener();
}

/**
 * Opens a dialog and answers true for OK. Without `cancel` there is one button and Escape counts
 * as OK. Browser only; questions asked meanwhile wait for their turn.
 */
export function ask(question: Question): Promise<boolean> {
  lastKey += 1;
  const key = lastKey;
  return new Promise((resolve) => {
    change([...asked, { key, question, wanted: null, resolve }]);
  });
}

/** Opens a dialog with one field and answers what was written, null when it was cancelled. */
export function askText(question: Question, wanted: TextWanted): Promise<string | null> {
  lastKey += 1;
  const key = lastKey;
  return new Promise((resolve) => {
    change([...asked, { key, question: { cancel: "Cancel", ...question }, wanted, resolve }]);
  });
}

const none: readonly Asked[] = [];
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Stands once in the page and shows what is asked; the dialogs' code loads with the first. */
export function AskHost() {
  const [first] = useSyncExternalStore(
    subscribe,
    () => asked,
    () => none,
  );
  if (!first) return null;
  const done = () => change(asked.filter((other) => other !== first));
  return first.wanted ? (
    <PromptDialog
      key={first.key}
      {...first.question}
      wanted={first.wanted}
      onAnswer={(answer) => {
        done();
        first.resolve(answer);
      }}
    />
  ) : (
    <LazyDialog
      key={first.key}
      {...first.question}
      onClose={(answer) => {
        done();
        first.resolve(answer);
      }}
    />
  );
}
