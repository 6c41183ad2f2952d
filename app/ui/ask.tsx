import { useSyncExternalStore } from "react";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";

type Question = { title: string; text?: string; ok?: string; cancel?: string; danger?: boolean };
type Asked = Question & { key: number; resolve: (answer: boolean) => void };

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
    change([...asked, { ...question, key, resolve }]);
  });
}

const none: readonly Asked[] = [];
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Stands once in the page and shows what `ask` asks; the dialog's code loads with the first. */
export function AskHost() {
  const [first] = useSyncExternalStore(
    subscribe,
    () => asked,
    () => none,
  );
  if (!first) return null;
  const { key, resolve, ...question } = first;
  return (
    <LazyDialog
      key={key}
      {...question}
      onClose={(answer) => {
        change(asked.filter((other) => other !== first));
        resolve(answer);
      }}
    />
  );
}
