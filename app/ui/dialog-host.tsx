import { useSyncExternalStore } from "react";
import { questions, type Asked } from "#app/ui/ask.ts";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

const PromptDialog = lazyComponent(
  async () => (await import("#app/ui/prompt-dialog.tsx")).PromptDialog,
  ({ onAnswer }) => {
    notifyUnreachable();
    onAnswer(null);
  },
);

const none: readonly Asked[] = [];

/** Mounted once in the page; shows the questions; the dialogs' code loads with the first. */
export function DialogHost() {
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
