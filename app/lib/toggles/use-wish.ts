import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { createLastWish } from "#app/lib/toggles/last-wish.ts";
import { sentenceAbout, isSignedOut } from "#app/lib/forms/post-form.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

type Options<Answer> = {
  /** what it is about, should it be gone meanwhile */
  thing: "post" | "account";
  /** what the page was read with */
  now: boolean;
  save: (wish: boolean) => Promise<Answer>;
  /** the last wish is saved */
  onSaved: (answer: Answer) => void;
  /** what could not be done: "Could not like this post." */
  failure: (wish: boolean) => string;
};

/**
 * A switch that flips at once, settles on the last of many wishes, and turns back with a sentence
 * when that one could not be saved. Who was signed out meanwhile is led to the sign-in form.
 */
export function useWish<Answer>({ thing, now, save, onSaved, failure }: Options<Answer>) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [shown, setShown] = useFresh(now);

  const start = () =>
    createLastWish<boolean, Answer>({
      // Nothing is under way when a new one starts, so what is shown is what is saved.
      saved: shown,
      save,
      onSettled: (saved, answer) => {
        wishes.current = null;
        setShown(saved);
        onSaved(answer);
      },
      onFailed: (saved, error) => {
        wishes.current = null;
        setShown(saved);
        if (isSignedOut(error)) void navigate(signInPath({ pathname, search }));
        else notify.error(`${failure(!saved)} ${sentenceAbout(thing, error)}`);
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
