import { Link } from "react-router";
import type { OperatorAct, OperatorLogEntry } from "#shared/operator.ts";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { settingText } from "#app/features/operator/setting-labels.ts";
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
  "first-operator": "became the first operator",
  suspend: "suspended",
  restore: "restored",
  "reset-link": "created a password link for",
  "second-step-off": "turned off two-step sign-in for",
  role: "changed the role of",
  quota: "changed the storage limit of",
  delete: "deleted",
  setting: "changed a setting",
  invite: "created invitations",
  "invitation-withdrawn": "withdrew an invitation",
  "hide-from-explore": "hid a post from the front page, by",
  "job-retried": "retried failed jobs",
};

export default function OperatorLog({ loaderData: { items, nextCursor } }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle title="Operators' log">Log</ScreenTitle>
      {items.length === 0 ? (
        <EmptyState drawing="card" title="Nothing yet">
          <p>Everything operators do is logged here. Entries can't be edited.</p>
        </EmptyState>
      ) : (
        <p className="px-4 pb-3 text-sm text-muted md:px-0">
          Everything operators do is logged here. Entries can't be edited.
        </p>
      )}
      <ul className={items.length > 0 ? "overflow-hidden md:card" : ""}>
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

function moreText({ act, detail }: OperatorLogEntry, timeZone: string): string {
  if (act === "setting") return settingText(detail);
  // The names of jobs say something to the command line only.
  if (act === "job-retried" || detail === "") return "";
  return act === "suspend" ? `until ${formatDate(Date.parse(detail), timeZone)}` : detail;
}

function Entry({ entry }: { entry: OperatorLogEntry }) {
  const { at, actorId, actor, accountId, account, act } = entry;
  const timeZone = useTimeZone();
  const who = actor?.name ?? (actorId === null ? "Command line" : "A deleted account");
  const more = moreText(entry, timeZone);
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 wrap-anywhere">
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
