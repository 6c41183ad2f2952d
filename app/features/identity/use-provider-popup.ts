import { useEffect, useRef, useState } from "react";
import { isSignInProblem, type ProviderView } from "#shared/providers.ts";
import * as words from "#messages/identity.json";
import type { DoneAttempt } from "#app/features/identity/await-attempt.ts";
import { signInByPopup } from "#app/features/identity/provider-popup.ts";
import { isCallError, errorMessage, type CallError } from "#app/lib/api-client.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { said } from "#app/lib/text/said.ts";
import { notify } from "#app/lib/toasts.ts";

type Waiting = {
  provider: ProviderView;
  /** the text shown meanwhile */
  text: string;
};

/** The abort reason when the page that waited is gone. */
const left = "left";

/** One sign-in in a popup at a time: a second one cancels the first. */
export function useProviderPopup(onDone: (done: DoneAttempt) => void) {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(left), []);

  /** Call it in a click handler. `onRefused` gets what is wrong with the password. */
  async function open(
    provider: ProviderView,
    wanted: { returnTo: string; password?: string; invitation?: string; follow?: string },
    onRefused?: (error: CallError) => void,
  ): Promise<void> {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    const isCurrent = () => running.current === run;
    setWaiting({ provider, text: fill(words.waitingFor, { provider: provider.label }) });
    try {
      const done = await signInByPopup({
        provider,
        ...wanted,
        signal: run.signal,
        onClosed: () => {
          if (isCurrent()) setWaiting(null);
        },
        onRedirect: ({ message }) => setWaiting({ provider, text: said(message) }),
      });
      if (isCurrent()) onDone(done);
    } catch (error) {
      if (run.signal.reason === left) return;
      if (isSignInProblem(error)) {
        if (error.code !== "popup-closed-by-user") notify.error(said(error.message));
      } else if (onRefused && isCallError(error) && error.fields) onRefused(error);
      else notify.error(errorMessage(error));
    } finally {
      if (isCurrent()) {
        running.current = null;
        setWaiting(null);
      }
    }
  }

  return { waiting, open };
}
