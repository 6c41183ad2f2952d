import { Link } from "react-router";
import type { AccountSummary, Page } from "#shared/views.ts";
import { PeopleList, type Person } from "#app/features/follows/people-list.tsx";
import { titled } from "#app/lib/page/place.ts";
import { profilePath } from "#app/lib/text/links.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

type Props = {
  list: "followers" | "following";
  account: AccountSummary;
  page: Page<Person>;
  viewerId: string | null;
};

const titles = { followers: "Followers", following: "Following" };

/** Who follows an account, or whom it follows. */
export function PeoplePage({ list, account, page, viewerId }: Props) {
  const path = `/profile/${list}/${account.id}`;
  return (
    <>
      <title>{titled(titles[list], account.name)}</title>
      <header className="px-4 pt-5 pb-2 md:px-0 md:pt-0">
        <h1 className="text-xl font-semibold">{titles[list]}</h1>
        <Link
          to={profilePath(account, viewerId)}
          dir="auto"
          className="inline-flex min-h-11 items-center text-muted wrap-anywhere hover:underline"
        >
          {account.name}
        </Link>
      </header>
      {page.items.length > 0 ? (
        <PeopleList
          key={path}
          first={page}
          path={`/api/accounts/${account.username}/${list}`}
          older={(cursor) => `${path}?${new URLSearchParams({ cursor })}`}
          viewerId={viewerId}
        />
      ) : (
        <EmptyState
          drawing="lens"
          title="Nobody yet"
          action={account.id === viewerId && <ButtonLink to="/search">Find people</ButtonLink>}
        />
      )}
    </>
  );
}
