import { useRef, useState } from "react";
import { problemOf, type Problem } from "#app/lib/forms/problem.tsx";

/** Sends a form, one try at a time. Its refusal stays until the next try; undefined: there was none. */
export function useSending() {
  const [trying, setTrying] = useState<AbortController | null>(null);
  const [problem, setProblem] = useState<Problem | null | undefined>();
  const busy = useRef(false);

  /** `work` ends silently when `signal` aborts. @returns whether it ended without a problem */
  async function send(
    work: (signal: AbortSignal) => Promise<void>,
    explain = problemOf,
  ): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    const controller = new AbortController();
    setTrying(controller);
    setProblem(null);
    try {
      await work(controller.signal);
      return true;
    } catch (error) {
      setProblem(explain(error));
      return false;
    } finally {
      busy.current = false;
      setTrying(null);
    }
  }

  return { send, sending: trying !== null, problem, setProblem, stop: () => trying?.abort() };
}
