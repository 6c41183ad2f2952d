import type { AccountSummary, Page } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { SignUpBelowFollow } from "#app/features/follows/sign-up-to-follow.tsx";
import { useEndlessList } from "#app/lib/lists/use-endless-list.ts";
import { PersonSkeleton } from "#app/ui/skeleton.tsx";

type Person = AccountSummary & { following: boolean };

type Props = {
  first: Page<Person>;
  /** answers the next pages as JSON */
  path: string;
  viewerId: string | null;
};

/** Followers or followed accounts, each with a Follow button. */
export function PeopleList({ first, path, viewerId }: Props) {
  const list = useEndlessList(first, path);
  return (
    <>
      <ul>
        {list.items.map((person) => (
          <AccountRow
            key={person.id}
            account={person}
            viewerId={viewerId}
            about={<bdi className="wrap-anywhere">@{person.username}</bdi>}
          >
            {person.id !== viewerId && (
              <FollowButton
                account={person}
                following={person.following}
                signedIn={viewerId !== null}
                forVisitors={<SignUpBelowFollow account={person} />}
                quiet
              />
            )}
          </AccountRow>
        ))}
      </ul>
      <ListFoot list={list} label="Show more" waiting={<PersonSkeleton />} />
    </>
  );
}
