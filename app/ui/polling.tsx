import { useEffect, type ReactNode } from "react";
import { useRevalidator } from "react-router";

type Props = {
  /** milliseconds from an answer to the next question */
  every: number;
  children?: ReactNode;
};

/** Asks for the page's data again and again, not in a hidden tab; without scripts the page loads itself again. */
export function Polling({ every, children }: Props) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const ask = () => void (document.visibilityState === "visible" && revalidate());
    const timer = state === "idle" ? setTimeout(ask, every) : undefined;
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  });
  return (
    <>
      {children}
      <noscript>
        <meta httpEquiv="refresh" content={String((2 * every) / 1000)} />
      </noscript>
    </>
  );
}
