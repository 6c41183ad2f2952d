import { Link } from "react-router";
import type { OperatorAct, OperatorLogEntry } from "#shared/operator.ts";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator-log";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  return features.dashboard.log(member, url.searchParams.get("cursor"));
}

/** Each action, as text before the name of the account and before its details. */
const did: Record<OperatorAct, string> = {
  "first-operator": "took the link of the log, the first operator:",
  suspend: "suspended",
  restore: "restored",
  "reset-link": "made a link for a new password of",
  "second-step-off": "turned off two-step sign-in of",
  role: "changed the role of",
  quota: "changed the storage of",
  delete: "deleted",
  setting: "changed a setting",
  invite: "made invitations",
  "invitation-withdrawn": "withdrew an invitation",
  "hide-from-explore": "hid from the front page a post of",
  "job-retried": "tried a job again",
};

export default function OperatorLog({ loaderData: { items, nextCursor } }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle title="Operators' log">Log</ScreenTitle>
      {items.length === 0 ? (
        <EmptyState drawing="card" title="Nothing done yet">
          <p>Whatever operators do is written down here, and nobody can change it.</p>
        </EmptyState>
      ) : (
        <p className="px-4 pb-3 text-sm text-muted md:px-0">
          Whatever operators do, here and at the command line. Nobody can change it.
        </p>
      )}
      <ul>
        {items.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <p className="px-4 py-6 text-center">
        <OlderLink cursor={nextCursor} />
      </p>
    </>
  );
}

function Entry({ entry }: { entry: OperatorLogEntry }) {
  const { at, actorId, actor, accountId, account, act, detail } = entry;
  const timeZone = useTimeZone();
  const who = actor?.name ?? (actorId === null ? "Command line" : "A deleted account");
  const more =
    act === "suspend" && detail !== ""
      ? `until ${formatDate(Date.parse(detail), timeZone)}`
      : detail;
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 wrap-anywhere md:px-0">
      <p>
        <bdi className="font-semibold">{who}</bdi> {did[act]}{" "}
        {accountId !== null &&
          (account ? (
            <Link to={`/operator/people/${accountId}`} className="link">
              <bdi>{account.name}</bdi>
            </Link>
          ) : (
            "a deleted account"
          ))}
      </p>
      {more && <p dir="auto">{more}</p>}
      <p className="text-sm text-muted">
        <PostTime at={at} />
      </p>
    </li>
  );
}
