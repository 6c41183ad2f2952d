import { useEffect } from "react";

/** While something is being sent, closing the window would lose it: the browser asks first. */
export function useLeaveWarning(mailSentText: boolean): void {
  useEffect(() => {
    if (!mailSentText) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [mailSentText]);
}
