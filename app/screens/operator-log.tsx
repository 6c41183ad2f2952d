import * as words from "#messages/operator.json";
import { roles, type OperatorAct, type OperatorLogEntry } from "#shared/operator.ts";
import { roleTexts } from "#app/features/operator/role-texts.ts";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { settingText } from "#app/features/operator/setting-labels.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator-log";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  return features.dashboard.log(member, url.searchParams.get("cursor"));
}

/** Each action; its details are below. */
const did: Record<OperatorAct, string> = {
  "first-operator": words.becameFirst,
  suspend: words.didSuspend,
  restore: words.didRestore,
  "reset-link": words.didResetLink,
  "second-step-off": words.didSecondStepOff,
  role: words.didRole,
  quota: words.didQuota,
  delete: words.didDelete,
  setting: words.didSetting,
  invite: words.didInvite,
  "invitation-withdrawn": words.didWithdraw,
  "hide-from-explore": words.didHide,
  "job-retried": words.didRetry,
};

export default function OperatorLog({ loaderData: { items, nextCursor } }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle title={words.operatorsLog}>{words.log}</ScreenTitle>
      {items.length === 0 ? (
        <EmptyState drawing="card" title={words.nothingYet}>
          <p>{words.everythingIsLogged}</p>
        </EmptyState>
      ) : (
        <p className="px-4 pb-3 text-sm text-muted md:px-0">{words.everythingIsLogged}</p>
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

function roleText(detail: string): string {
  const role = roles.find((each) => each === detail);
  return role ? roleTexts[role].inLine : detail;
}

/** "3 for 7 days", as the entry has it. */
function invitedText(detail: string): string {
  const [, invitations, days] = /^(\d{1,6}) for (\d{1,6}) days?$/.exec(detail) ?? [];
  return invitations ? counted(words.invitedFor, Number(days), { invitations }) : detail;
}

function moreText({ act, detail }: OperatorLogEntry, timeZone: string): string {
  // The names of jobs say something to the command line only.
  if (act === "job-retried" || detail === "") return "";
  if (act === "setting") return settingText(detail);
  if (act === "role") return roleText(detail);
  if (act === "invite") return invitedText(detail);
  if (act !== "suspend") return detail;
  return fill(words.until, { date: formatDate(Date.parse(detail), timeZone) });
}

function Entry({ entry }: { entry: OperatorLogEntry }) {
  const { at, actorId, actor, accountId, account, act } = entry;
  const timeZone = useTimeZone();
  const who = actor?.name ?? (actorId === null ? words.commandLine : words.aDeletedActor);
  const more = moreText(entry, timeZone);
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3 wrap-anywhere">
      <p>
        {rich(did[act], {
          actor: <bdi className="font-semibold">{who}</bdi>,
          account:
            accountId !== null &&
            (account ? (
              <TextLink to={`/operator/people/${accountId}`}>
                <bdi>{account.name}</bdi>
              </TextLink>
            ) : (
              words.aDeletedAccount
            )),
        })}
      </p>
      {more && <p dir="auto">{more}</p>}
      <p className="text-sm text-muted">
        <PostTime at={at} />
      </p>
    </li>
  );
}
