import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { createLastToggle } from "#app/lib/toggles/last-toggle.ts";
import { errorMessageAbout, isSignedOut } from "#app/lib/api-client.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { useFresh } from "#app/lib/lists/use-fresh.ts";

type Saving<Answer> = {
  /** what the page was read with */
  now: boolean;
  save: (value: boolean) => Promise<Answer>;
  /** the last click is saved */
  onSaved?: (answer: Answer) => void;
};

type Failing = { onFailed: (saved: boolean, error: unknown) => void };

/** A switch that flips at once, settles on the last of many clicks, and turns back where that one could not be saved. */
export function useLastToggle<Answer>({ now, save, onSaved, onFailed }: Saving<Answer> & Failing) {
  const [shown, setShown] = useFresh(now);

  const start = () =>
    createLastToggle<boolean, Answer>({
      // Nothing is under way when a new one starts, so what is shown is what is saved.
      saved: shown,
      save,
      onSettled: (saved, answer) => {
        latest.current = null;
        setShown(saved);
        onSaved?.(answer);
      },
      onFailed: (saved, error) => {
        latest.current = null;
        setShown(saved);
        onFailed(saved, error);
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

type Options<Answer> = Saving<Answer> & {
  /** what it is about, should it be gone meanwhile */
  thing: "post" | "account" | "comment";
  /** what could not be done: "Couldn't like this post." */
  failure: (value: boolean) => string;
};

/** The same, with a sentence about what could not be done. Who was signed out meanwhile is led to the sign-in form. */
export function useToggle<Answer>({ thing, failure, ...saving }: Options<Answer>) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useLastToggle({
    ...saving,
    onFailed: (saved, error) => {
      if (isSignedOut(error)) void navigate(signInPath({ pathname, search }));
      else notify.error(`${failure(!saved)} ${errorMessageAbout(thing, error)}`);
    },
  });
}
