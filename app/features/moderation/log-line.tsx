import { Link } from "react-router";
import type { LogEntry } from "#shared/reports.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";

const did: Record<string, string> = {
  dismiss: "dismissed reports about",
  warn: "warned",
  "clear-words": "removed words of",
  "take-down": "removed something by",
  suspend: "suspended",
  answer: "appealed a decision about",
  kept: "upheld a decision about",
  lifted: "reversed a decision about",
  restore: "restored",
  "role-given": "made a moderator of",
  "role-taken": "removed the moderator's role from",
};

/** Who did what to whom; a deleted account has no name any more. */
export function LogLine({ entry }: { entry: LogEntry }) {
  const { at, actorId, actor, account, caseId, act, until } = entry;
  const timeZone = useTimeZone();
  const who = actor?.name ?? (actorId === null ? "The operator" : "A deleted account");
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 wrap-anywhere">
      <p>
        <bdi className="font-semibold">{who}</bdi> {did[act] ?? act}{" "}
        <bdi className="font-semibold">{account?.name ?? "a deleted account"}</bdi>
        {until !== null && ` until ${formatDate(until, timeZone)}`}
      </p>
      <p className="text-sm text-muted">
        <PostTime at={at} />
        {caseId !== null && (
          <>
            {" · "}
            <Link to={`/moderation/${caseId}`} className="link">
              Case
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
