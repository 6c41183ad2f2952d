import { useSyncExternalStore } from "react";
import { questions, type Asked } from "#app/ui/ask.ts";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";

const PromptDialog = lazyPiece(
  async () => (await import("#app/ui/prompt-dialog.tsx")).PromptDialog,
  ({ onAnswer }) => {
    tellAway();
    onAnswer(null);
  },
);

const none: readonly Asked[] = [];

/** Stands once in the page and shows what is asked; the dialogs' code loads with the first. */
export function AskHost() {
  const [first] = useSyncExternalStore(questions.subscribe, questions.now, () => none);
  if (!first) return null;
  const done = () => questions.set(questions.now().filter((other) => other !== first));
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
