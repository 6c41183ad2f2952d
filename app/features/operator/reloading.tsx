import { useEffect, type ReactNode } from "react";
import { useRevalidator } from "react-router";

type Props = {
  /** how often it asks, milliseconds */
  every: number;
  children: ReactNode;
};

/** Asks for the page's data again while it is shown; without scripts the page loads itself again. */
export function Reloading({ every, children }: Props) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => void revalidate(), every);
    return () => clearInterval(timer);
  }, [every, revalidate]);
  return (
    <>
      {children}
      <noscript>
        <meta httpEquiv="refresh" content={String((2 * every) / 1000)} />
      </noscript>
    </>
  );
}
