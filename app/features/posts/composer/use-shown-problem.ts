import { useEffect, type RefObject } from "react";

/** Post stands at the top of a phone's window; what is wrong with a form may stand below it. */
export function useShownProblem(form: RefObject<HTMLFormElement | null>, problem: unknown): void {
  useEffect(() => {
    if (!problem) return;
    form.current
      ?.querySelector("[aria-invalid=true], [role=alert] > :first-child")
      ?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [form, problem]);
}
