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

type Props = { account: Account; storage: StorageView };

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
export function AccountFacts({ account, storage }: Props) {
  const timeZone = useTimeZone();
  const day = (at: Date) => formatDate(at.getTime(), timeZone);
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
        [words.status, accountStateText(account, day)],
        [words.role, roleTexts[account.role].name],
        [words.memberSince, day(account.createdAt)],
        [words.lastSeen, account.lastSeenAt === null ? words.notSignedIn : day(account.lastSeenAt)],
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
  { suspendedAt, suspendedUntil, deletionDueAt }: Account,
  day: (at: Date) => string,
): string {
  const states = [
    suspendedAt !== null &&
      (suspendedUntil === null
        ? fill(words.suspendedForever, { since: day(suspendedAt) })
        : fill(words.suspendedUntil, { since: day(suspendedAt), until: day(suspendedUntil) })),
    deletionDueAt !== null && fill(words.toBeDeleted, { date: day(deletionDueAt) }),
  ].filter(Boolean);
  return states.join(". ") || words.active;
}
