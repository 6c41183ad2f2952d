import { refresh } from "#messages/data.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { Polling } from "#app/ui/polling.tsx";

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
      <Polling every={askEveryMs} />
      <noscript>
        <a href="/settings/data" className="link inline-flex min-h-11 items-center">
          {refresh}
        </a>
      </noscript>
    </div>
  );
}
