import * as common from "#messages/common.json";
import * as words from "#messages/operator.json";
import type { StorageView } from "#shared/views.ts";
import { roleTexts } from "#app/features/operator/role-texts.ts";
import { Facts } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { commaList, fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { sizeText } from "#app/lib/text/sizes.ts";

type Account = Awaited<ReturnType<PageContext["features"]["dashboard"]["account"]>>["account"];

/** Times are epoch ms. */
type Props = {
  account: Omit<
    Account,
    "createdAt" | "suspendedAt" | "suspendedUntil" | "deletionDueAt" | "lastSeenAt"
  >;
  times: {
    joined: number;
    suspended: number | null;
    until: number | null;
    leaves: number | null;
    seen: number | null;
  };
  storage: StorageView;
};

/** "1.2 GB of 10 GB" */
export const usageText = ({ bytes, quota }: StorageView): string =>
  quota === null
    ? sizeText(bytes)
    : fill(words.usedOf, { used: sizeText(bytes), quota: sizeText(quota) });

/** A provider has its own name. */
const wayText = (way: string): string =>
  way === "password" ? words.wayPassword : way === "passkey" ? words.wayPasskey : way;

const capital = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

/** What the operator sees of an account. */
export function AccountFacts({ account, times, storage }: Props) {
  const timeZone = useTimeZone();
  const day = (at: number) => formatDate(at, timeZone);
  return (
    <Facts
      facts={[
        [words.username, `@${account.username}`, "ltr"],
        [
          words.earlierUsernames,
          commaList(account.formerUsernames.map((name) => `@${name}`)),
          "ltr",
        ],
        [
          words.email,
          account.emailVerified
            ? account.email
            : fill(words.notConfirmed, { email: account.email }),
          "ltr",
        ],
        [words.status, accountStateText(times, day)],
        [words.role, roleTexts[account.role].name],
        [words.memberSince, day(times.joined)],
        [words.lastSeen, times.seen === null ? words.notSignedIn : day(times.seen)],
        [words.signsInWith, capital(commaList(account.waysIn.map(wayText))) || words.none],
        [words.twoStep, account.secondStep ? common.on : common.off],
        [words.posts, account.posts],
        [words.followers, account.followers],
        [words.storage, usageText(storage)],
      ]}
    />
  );
}

function accountStateText(
  { suspended, until, leaves }: Props["times"],
  day: (at: number) => string,
): string {
  const states = [
    suspended !== null &&
      (until === null
        ? fill(words.suspendedForever, { since: day(suspended) })
        : fill(words.suspendedUntil, { since: day(suspended), until: day(until) })),
    leaves !== null && fill(words.toBeDeleted, { date: day(leaves) }),
  ].filter(Boolean);
  return states.join(". ") || words.active;
}
