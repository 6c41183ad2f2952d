import { useRef } from "react";
import { createLastWish } from "#app/lib/toggles/last-wish.ts";
import { sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

type Options = {
  saved: boolean;
  /** its name, for the sentence when the save fails */
  label: string;
  save: (on: boolean) => Promise<unknown>;
};

/** A switch that flips at once, settles on the last wish, reverts and says so when the save fails. */
export function useSwitch({ saved, label, save }: Options) {
  const [shown, setShown] = useFresh(saved);

  const start = () =>
    createLastWish<boolean, unknown>({
      saved: shown,
      save,
      onSettled: (holds) => {
        wishes.current = null;
        setShown(holds);
      },
      onFailed: (holds, error) => {
        wishes.current = null;
        setShown(holds);
        notify.error(`“${label}” is still ${holds ? "on" : "off"}. ${sentenceOf(error)}`);
      },
    });
  const wishes = useRef<ReturnType<typeof start> | null>(null);

  function wish(next: boolean): void {
    setShown(next);
    wishes.current ??= start();
    wishes.current.wish(next);
  }
  return { shown, wish };
}
