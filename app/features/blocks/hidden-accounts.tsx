import { useLocation } from "react-router";
import type { AccountSummary, HiddenAccount, Page } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";

export type HiddenList = "blocked" | "muted";

const paths = { blocked: "/api/blocks", muted: "/api/mutes" };

/** Blocked or muted accounts, each with a button to undo it. */
export function HiddenAccounts({
  list: kind,
  first,
}: {
  list: HiddenList;
  first: Page<HiddenAccount>;
}) {
  const list = useInfiniteList(first, paths[kind]);
  const timeZone = useTimeZone();
  return (
    <>
      <ul>
        {list.items.map((account) => (
          // No link: a blocked account has no page for the one who blocked it.
          <li key={account.id} className="flex min-h-16 items-center gap-3 px-4 py-2 md:px-0">
            <Avatar name={account.name} image={account.avatar} size="lg" />
            <span className="min-w-0 flex-1 wrap-anywhere">
              <span dir="auto" className="line-clamp-2 font-medium">
                {account.name}
              </span>
              <span className="text-sm text-muted">
                <bdi>@{account.username}</bdi>
                {account.until !== null && (
                  <>
                    {" · "}
                    {rich(words.mutedUntil, {
                      date: (
                        <PostTime at={account.until} label={formatDate(account.until, timeZone)} />
                      ),
                    })}
                  </>
                )}
              </span>
            </span>
            {kind === "blocked" ? (
              <Switch account={account} on="block" off="unblock" />
            ) : (
              <Switch account={account} on="mute" off="unmute" />
            )}
          </li>
        ))}
      </ul>
      <ListFoot list={list} label={words.showMore} waiting={<AccountSkeleton />} />
    </>
  );
}

type SwitchProps = {
  account: AccountSummary;
  on: "block" | "mute";
  off: "unblock" | "unmute";
};

type Sentences = { label: string; named: string; failed: string };
const sentences: Record<SwitchProps["on" | "off"], Sentences> = {
  block: { label: words.block, named: words.blockName, failed: words.couldntBlock },
  unblock: { label: words.unblock, named: words.unblockName, failed: words.couldntUnblock },
  mute: { label: words.mute, named: words.muteName, failed: words.couldntMute },
  unmute: { label: words.unmute, named: words.unmuteName, failed: words.couldntUnmute },
};

/** Updates at once and reverts on failure; the row stays, so that a mistake can be undone. */
function Switch({ account, on, off }: SwitchProps) {
  const { pathname, search } = useLocation();
  const { shown, set } = useToggle<unknown>({
    thing: "account",
    now: true,
    save: (next) => setOrWithdraw(`/api/${on}s/${account.id}`, next),
    onSaved: forgetLists,
    failure: (next) => fill(sentences[next ? on : off].failed, { name: account.name }),
  });
  const does = shown ? off : on;
  return (
    <form
      method="post"
      action={`/block/${account.id}`}
      onSubmit={(event) => {
        event.preventDefault();
        set(!shown);
      }}
    >
      <input type="hidden" name={returnParameter} value={pathname + search} />
      <input type="hidden" name="intent" value={does} />
      <Button
        type="submit"
        look={shown ? "outline" : "quiet"}
        className="min-w-26"
        aria-label={fill(sentences[does].named, { name: account.name })}
      >
        {sentences[does].label}
      </Button>
    </form>
  );
}
