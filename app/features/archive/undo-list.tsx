import { Link } from "react-router";
import type { UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";

/** The imports of the last days, each with the way to undo it. */
export function UndoList({ imports }: { imports: UndoableImport[] }) {
  const timeZone = useTimeZone();
  const finished = imports.filter(({ undoing }) => !undoing);
  if (finished.length === 0) return null;
  return (
    <div className="grid text-sm">
      <p className="text-muted">You can undo an import for {limits.archive.undoDays} days.</p>
      <ul>
        {finished.map(({ id, kind, createdAt, posts }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <span>
              {kindNames[kind]}, {formatDate(createdAt, timeZone)}: {posts}{" "}
              {posts === 1 ? "post" : "posts"}
            </span>
            <Link
              to={`/settings/data/imports/${id}/undo`}
              className="link inline-flex min-h-11 items-center"
              aria-label={`Undo the import of ${formatDate(createdAt, timeZone)} from ${kindNames[kind]}`}
            >
              Undo
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
