import { useId } from "react";
import type { AccountSummary, Page } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/people.json";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { instead } from "#app/lib/instead.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";

type Candidate = AccountSummary & { close: boolean };
type OnChanged = (close: boolean) => void;

type Props = {
  first: Page<Candidate>;
  /** null: the list, then the other followers */
  query: string | null;
  viewerId: string;
  onChanged: OnChanged;
};

/** People to put on the list of close friends: a row stays where it is, so that a slip can be undone. */
export function FriendList({ first, query, viewerId, onChanged }: Props) {
  const list = useInfiniteList(
    first,
    `/calls/close-friends${query === null ? "" : `?${new URLSearchParams({ q: query })}`}`,
  );
  const groups: [title: string, people: Candidate[]][] =
    query === null
      ? [
          [words.onYourList, list.items.filter(({ close }) => close)],
          [words.yourFollowers, list.items.filter(({ close }) => !close)],
        ]
      : [[words.people, list.items]];
  return (
    <>
      {groups.map(([title, people]) => (
        <Group key={title} {...{ title, people, viewerId, onChanged }} />
      ))}
      <ListFoot list={list} label={words.showMore} waiting={<AccountSkeleton />} />
    </>
  );
}

type GroupProps = Pick<Props, "viewerId" | "onChanged"> & { title: string; people: Candidate[] };

function Group({ title, people, viewerId, onChanged }: GroupProps) {
  const id = useId();
  if (people.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-4">
      <h2 id={id} className="px-4 font-semibold md:px-0">
        {title}
      </h2>
      <ul>
        {people.map((account) => (
          <AccountRow key={account.id} account={account} viewerId={viewerId}>
            <FriendButton account={account} onChanged={onChanged} />
          </AccountRow>
        ))}
      </ul>
    </section>
  );
}

const field = fieldsOf<FormCalls["privacy"]["addCloseFriend"]>();

/** Add or Remove: at once, and turned back with a message when that fails. */
function FriendButton({ account, onChanged }: { account: Candidate; onChanged: OnChanged }) {
  const { shown, set } = useToggle<{ close: boolean }>({
    thing: "account",
    now: account.close,
    save: (next) => setOrWithdraw(`/calls/close-friends/${account.id}`, next),
    onSaved: ({ close }) => {
      forgetLists();
      onChanged(close);
    },
    failure: (next) => fill(next ? words.couldntAdd : words.couldntRemove, { name: account.name }),
  });
  return (
    <form method="post" action="/settings/friends" onSubmit={instead(() => set(!shown))}>
      <BackHere />
      <input type="hidden" name={field("id")} value={account.id} />
      <IntentButton
        intent={shown ? "remove" : "add"}
        look={shown ? "outline" : "accent"}
        className="min-w-26"
        aria-label={fill(shown ? words.removeName : words.addName, { name: account.name })}
      >
        {shown ? common.remove : common.add}
      </IntentButton>
    </form>
  );
}
