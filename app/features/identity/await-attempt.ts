import {
  attemptSeconds,
  popupNumbers,
  problem,
  type AttemptState,
  type SignInProblem,
} from "#shared/providers.ts";

export type DoneAttempt = Extract<AttemptState, { state: "done" }>;

type Watched = {
  /** asks the server for the state of the sign-in */
  ask: () => Promise<AttemptState>;
  /** Whether the popup looks closed. One at a provider that sends Cross-Origin-Opener-Policy may. */
  looksClosed: () => boolean;
  /** calls back when the popup is back on a page of ours; returns a function that stops listening */
  onReport: (listener: () => void) => () => void;
  /** the popup has looked closed for so long that it is: the wait is no longer shown */
  onClosed: (why: SignInProblem) => void;
  /** another sign-in was started */
  signal: AbortSignal;
};

/**
 * Waits for the end of a sign-in in a popup. The server's answer decides; the popup's own report only makes
 * us poll at once. A popup that looks closed is given up on the screen only: a provider may have cut it off
 * from us (Cross-Origin-Opener-Policy), and when it comes back its sign-in still counts. Throws a
 * SignInProblem.
 */
export async function awaitAttempt(watched: Watched): Promise<DoneAttempt> {
  const { ask, looksClosed, onReport, onClosed, signal } = watched;
  const ends = Date.now() + attemptSeconds * 1000;
  const { pollFromMs, pollToMs, closedAfterMs } = popupNumbers;
  let pause: number = pollFromMs;
  let closedSince: number | null = null;
  let givenUp = false;
  // Read at the press that starts another: a moment later the focus is in the new popup.
  signal.addEventListener("abort", () => {
    givenUp ||= looksClosed();
  });
  while (Date.now() < ends) {
    await pauseOrNews(givenUp ? ends - Date.now() : pause, onReport, signal);
    if (signal.aborted) throw problem(givenUp ? "popup-closed-by-user" : "cancelled-popup-request");
    // A connection that fails for a moment ends nothing.
    const state = await ask().catch(() => null);
    if (state?.state === "done") return state;
    if (state?.state === "failed") throw problem(state.code);
    pause = Math.min(pause * 1.5, pollToMs);
    if (!looksClosed()) {
      closedSince = null;
    } else if (closedSince === null) {
      closedSince = Date.now();
      pause = closedAfterMs;
    } else if (Date.now() - closedSince >= closedAfterMs && !givenUp) {
      givenUp = true;
      onClosed(problem("popup-closed-by-user"));
    }
  }
  throw problem("sign-in-expired");
}

/** Ends after `ms`, with a report of the popup, or when another sign-in is started. */
function pauseOrNews(
  ms: number,
  onReport: Watched["onReport"],
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const end = () => {
      for (const stop of stops) stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    stops.push(
      () => clearTimeout(timer),
      onReport(end),
      () => signal.removeEventListener("abort", end),
    );
    if (signal.aborted) return end();
    signal.addEventListener("abort", end);
  });
}
