import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { refresh } from "#messages/data.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";

type Props = {
  label: string;
  done: number;
  total: number;
  /** "2 of 3 posts" */
  counts: Record<string, string>;
};

/** How often the page polls for progress, milliseconds. */
const askEveryMs = 2000;

/** Progress of a background job, in numbers and as a bar; the page polls for it. */
export function JobProgress({ label, done, total, counts }: Props) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, askEveryMs);
    return () => clearTimeout(timer);
  });
  // A hidden tab does not poll.
  useEffect(() => {
    const ask = () => document.visibilityState === "visible" && void revalidate();
    document.addEventListener("visibilitychange", ask);
    return () => document.removeEventListener("visibilitychange", ask);
  }, [revalidate]);
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4" role="status">
        <span className="font-medium">{label}</span>
        <span className="text-muted">{counted(counts, total, { done: wholeCount(done) })}</span>
      </p>
      <progress
        className="progress w-full"
        value={done}
        max={Math.max(1, total)}
        aria-label={label}
      />
      <noscript>
        {/* Without scripts the page reloads by itself. */}
        <meta httpEquiv="refresh" content="4" />
        <a href="/settings/data" className="link inline-flex min-h-11 items-center">
          {refresh}
        </a>
      </noscript>
    </div>
  );
}
