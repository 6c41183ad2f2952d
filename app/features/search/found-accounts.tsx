import type { FoundAccount, Page } from "#shared/views.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import * as words from "#messages/search.json";
import { FollowRow } from "#app/features/follows/follow-row.tsx";
import { FollowedBy } from "#app/features/follows/followed-by.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

type Props = { query: string; page: Page<FoundAccount>; viewerId: string | null };

/** The accounts a search found. */
export function FoundAccounts({ query, page, viewerId }: Props) {
  const search = new URLSearchParams({ q: query });
  const list = useInfiniteList(page, `/api/search?${search}`);
  const count = list.items.length;
  // Shorter queries are compared with the beginnings of names only.
  const characters = countGraphemes(query.replace(/\s+/gu, ""), 3);
  return (
    <>
      <output className="sr-only">
        {list.nextCursor
          ? fill(words.moreFound, { count: count - 1 })
          : counted(words.found, count)}
      </output>
      {count > 0 ? (
        <ul>
          {list.items.map((account) => (
            <FollowRow
              key={account.id}
              account={account}
              viewerId={viewerId}
              about={<About account={account} />}
            />
          ))}
        </ul>
      ) : (
        <EmptyState drawing="lens" title={words.noOneFound}>
          <p>
            {rich(words.noMatch, {
              query: <bdi className="font-medium wrap-anywhere">{query.trim()}</bdi>,
            })}{" "}
            {characters < 3 ? words.threeLetters : words.otherSpelling}
          </p>
        </EmptyState>
      )}
      <ListFoot list={list} label={words.showMore} waiting={<AccountSkeleton />} />
    </>
  );
}

/** Tells accounts with the same name apart. */
function About({ account: { username, bio, followedBy } }: { account: FoundAccount }) {
  return (
    <>
      <span dir="ltr" className="block truncate">
        @{username}
      </span>
      {bio && (
        <span dir="auto" className="block truncate">
          {bio}
        </span>
      )}
      {followedBy && (
        <span className="line-clamp-2">
          <FollowedBy by={followedBy} />
        </span>
      )}
    </>
  );
}
