import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { exactTime, postTime } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";

/** When something was posted, in the reader's time zone; exactly on hover. `label` replaces the text. */
export function PostTime({ at, label }: { at: number; label?: string }) {
  const timeZone = useTimeZone();
  // The server's clock, so that hydration renders the very same text.
  const now = useRootData()?.now ?? at;
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at, timeZone)}>
      {label ?? postTime(at, now, timeZone)}
    </time>
  );
}
