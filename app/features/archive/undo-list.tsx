import { undo } from "#messages/common.json";
import * as words from "#messages/data.json";
import type { UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted, fill, formOf, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Link } from "#app/ui/link.tsx";

/** The imports of the last days, each with the way to undo it. */
export function UndoList({ imports }: { imports: UndoableImport[] }) {
  const timeZone = useTimeZone();
  const finished = imports.filter(({ undoing }) => !undoing);
  if (finished.length === 0) return null;
  return (
    <div className="grid text-sm">
      <p className="text-muted">{counted(words.undoDays, limits.archive.undoDays)}</p>
      <ul>
        {finished.map(({ id, kind, createdAt, posts }) => {
          const from = { service: kindNames[kind], date: formatDate(createdAt, timeZone) };
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <span>
                {rich(formOf(words.undoRow, posts), {
                  ...from,
                  service: <bdi>{from.service}</bdi>,
                  count: wholeCount(posts),
                })}
              </span>
              <Link
                to={`/settings/data/imports/${id}/undo`}
                className="link inline-flex min-h-11 items-center"
                aria-label={fill(words.undoFrom, from)}
              >
                {undo}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
