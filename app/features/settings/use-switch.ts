import { useRef } from "react";
import { createLastToggle } from "#app/lib/toggles/last-toggle.ts";
import { sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

type Options = {
  saved: boolean;
  /** its name, for the sentence when the save fails */
  label: string;
  save: (on: boolean) => Promise<unknown>;
};

/** A switch that flips at once, settles on the last click, reverts and says so when the save fails. */
export function useSwitch({ saved, label, save }: Options) {
  const [shown, setShown] = useFresh(saved);

  const start = () =>
    createLastToggle<boolean, unknown>({
      saved: shown,
      save,
      onSettled: (holds) => {
        latest.current = null;
        setShown(holds);
      },
      onFailed: (holds, error) => {
        latest.current = null;
        setShown(holds);
        notify.error(`“${label}” is still ${holds ? "on" : "off"}. ${sentenceOf(error)}`);
      },
    });
  const latest = useRef<ReturnType<typeof start> | null>(null);

  function set(next: boolean): void {
    setShown(next);
    latest.current ??= start();
    latest.current.set(next);
  }
  return { shown, set };
}
