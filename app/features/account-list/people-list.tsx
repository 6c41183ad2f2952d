import type { AccountSummary, Page } from "#shared/views.ts";
import { AccountList } from "#app/features/account-list/account-list.tsx";
import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { FollowButton } from "#app/features/follow-button/follow-button.tsx";
import { useEndlessList } from "#app/lib/use-endless-list.ts";

export type Person = AccountSummary & { following: boolean };

type Props = {
  first: Page<Person>;
  /** answers the next pages as JSON */
  path: string;
  older: (cursor: string) => string;
  viewerId: string | null;
};

/** Followers or followed accounts, each with a Follow button. */
export function PeopleList({ first, path, older, viewerId }: Props) {
  const list = useEndlessList(first, path);
  return (
    <>
      <AccountList
        accounts={list.items}
        viewerId={viewerId}
        action={(person) =>
          person.id !== viewerId && (
            <FollowButton
              account={person}
              following={person.following}
              signedIn={viewerId !== null}
            />
          )
        }
      />
      <ListFoot list={list} older={older} label="Show more" />
    </>
  );
}
