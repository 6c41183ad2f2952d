import type { AccountSummary, Page } from "#shared/views.ts";
import { AccountList } from "#app/features/account-list/account-list.tsx";
import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { inWords } from "#app/lib/counts.ts";
import { useEndlessList } from "#app/lib/use-endless-list.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";

type Props = { query: string; page: Page<AccountSummary>; viewerId: string | null };

/** The accounts a search found. */
export function FoundPeople({ query, page, viewerId }: Props) {
  const search = new URLSearchParams({ q: query });
  const list = useEndlessList(page, `/calls/older/people?${search}`);
  const count = list.items.length;
  return (
    <>
      <p role="status" className="sr-only">
        {list.nextCursor
          ? `More than ${count - 1} people found`
          : `${inWords(count, "account")} found`}
      </p>
      {count > 0 ? (
        <AccountList accounts={list.items} viewerId={viewerId} />
      ) : (
        <EmptyState title="Nobody found">
          <p>
            No name here holds <bdi className="font-medium wrap-anywhere">{query.trim()}</bdi>. Try
            fewer letters.
          </p>
        </EmptyState>
      )}
      <ListFoot
        list={list}
        older={(cursor) => `/search?${new URLSearchParams({ q: query, cursor })}`}
        label="Show more"
      />
    </>
  );
}
