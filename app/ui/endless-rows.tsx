import type { ReactNode } from "react";
import type { Page } from "#shared/views.ts";
import { showMore } from "#messages/people.json";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";

type Props<Row> = {
  first: Page<Row>;
  /** answers the next pages as JSON */
  from: string;
  /** shown while there are none */
  empty: ReactNode;
  children: (row: Row) => ReactNode;
};

/** A list of rows, loading more as one scrolls. */
export function EndlessRows<Row extends { id: string }>(props: Props<Row>) {
  const { first, from, empty, children } = props;
  const list = useInfiniteList(first, from);
  if (list.items.length === 0) return empty;
  return (
    <>
      <ul>{list.items.map((row) => children(row))}</ul>
      <ListFoot list={list} label={showMore} waiting={<AccountSkeleton />} />
    </>
  );
}
