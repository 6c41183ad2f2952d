import * as words from "#messages/moderation.json";
import type { LogEntry } from "#shared/reports.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";

const did: Record<string, string> = {
  dismiss: words.dismissedReports,
  warn: words.warnedAccount,
  "clear-words": words.clearedWords,
  "take-down": words.tookDown,
  suspend: words.suspendedAccount,
  answer: words.appealedDecision,
  kept: words.upheldDecision,
  lifted: words.reversedDecision,
  restore: words.restoredAccount,
  "role-given": words.madeModerator,
  "role-taken": words.removedModerator,
};

/** Who did what to whom; a deleted account has no name any more. */
export function LogLine({ entry }: { entry: LogEntry }) {
  const { at, actorId, actor, account, caseId, act, until } = entry;
  const timeZone = useTimeZone();
  const who = actor?.name ?? (actorId === null ? words.theOperator : words.aDeletedActor);
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 wrap-anywhere">
      <p>
        {rich(until === null ? (did[act] ?? words.otherAct) : words.suspendedAccountUntil, {
          actor: <bdi className="font-semibold">{who}</bdi>,
          account: <bdi className="font-semibold">{account?.name ?? words.aDeletedAccount}</bdi>,
          act,
          date: until !== null && formatDate(until, timeZone),
        })}
      </p>
      <p className="text-sm text-muted">
        <PostTime at={at} />
        {caseId !== null && (
          <>
            {" · "}
            <TextLink to={`/moderation/${caseId}`}>{words.case}</TextLink>
          </>
        )}
      </p>
    </li>
  );
}
