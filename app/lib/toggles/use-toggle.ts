import { useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { createLastToggle } from "#app/lib/toggles/last-toggle.ts";
import { errorMessageAbout, isSignedOut } from "#app/lib/api-client.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";

type Saving<Answer> = {
  /** the value the page was read with */
  now: boolean;
  save: (value: boolean) => Promise<Answer>;
  /** the last click is saved */
  onSaved?: (answer: Answer) => void;
};

type Failing = { onFailed: (saved: boolean, error: unknown) => void };

/** A toggle that changes at once, settles on the last of many clicks, and reverts where that is not saved. */
export function useLastToggle<Answer>({ now, save, onSaved, onFailed }: Saving<Answer> & Failing) {
  const [shown, setShown] = useResettableState(now);

  const start = () =>
    createLastToggle<boolean, Answer>({
      // No save is running when a new one starts, so the shown value is the saved one.
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
  /** what it is about, in case that was deleted meanwhile */
  thing: "post" | "account" | "comment";
  /** what failed: "Couldn't like this post." */
  failure: (value: boolean) => string;
};

/** The same, with a message about what failed. Members signed out meanwhile are led to the sign-in form. */
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
