import { useEffect } from "react";

/** While something is being sent, closing the window would lose it: the browser asks first. */
export function useLeaveWarning(sending: boolean): void {
  useEffect(() => {
    if (!sending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [sending]);
}
