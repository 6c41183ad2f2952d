import type { ReactNode } from "react";
import type { AccountSummary, Page } from "#shared/views.ts";
import { showMore } from "#messages/people.json";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { SignUpBelowFollow } from "#app/features/follows/sign-up-to-follow.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";

type ListedAccount = AccountSummary & { following: boolean; requested: boolean };

type Props = {
  first: Page<ListedAccount>;
  /** answers the next pages as JSON */
  path: string;
  viewerId: string | null;
  /** beside each; else a Follow button */
  beside?: (account: AccountSummary) => ReactNode;
};

/** A list of accounts, such as followers, each with a Follow button or something else. */
export function AccountList({ first, path, viewerId, beside }: Props) {
  const list = useInfiniteList(first, path);
  return (
    <>
      <ul>
        {list.items.map((account) => (
          <AccountRow
            key={account.id}
            account={account}
            viewerId={viewerId}
            about={<bdi className="block truncate">@{account.username}</bdi>}
          >
            {beside?.(account)}
            {!beside && account.id !== viewerId && (
              <FollowButton
                account={account}
                following={account.following}
                requested={account.requested}
                signedIn={viewerId !== null}
                forVisitors={<SignUpBelowFollow account={account} />}
                quiet
              />
            )}
          </AccountRow>
        ))}
      </ul>
      <ListFoot list={list} label={showMore} waiting={<AccountSkeleton />} />
    </>
  );
}
