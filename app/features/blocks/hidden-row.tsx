import type { AccountSummary, HiddenAccount } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { instead } from "#app/lib/instead.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

export type HiddenList = "blocked" | "muted";

/** A blocked or muted account, with a button to undo it. No link: who is blocked has no page for the blocker. */
export function HiddenRow({ account, list }: { account: HiddenAccount; list: HiddenList }) {
  const { name, username, until } = account;
  const timeZone = useTimeZone();
  return (
    <li className="flex min-h-16 items-center gap-3 px-4 py-2 md:px-0">
      <Avatar name={name} image={account.avatar} size="lg" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span dir="auto" className="line-clamp-2 font-medium">
          {name}
        </span>
        <span className="text-sm text-muted">
          <bdi>@{username}</bdi>
          {until !== null && (
            <>
              {" · "}
              {rich(words.mutedUntil, {
                date: <PostTime at={until} label={formatDate(until, timeZone)} />,
              })}
            </>
          )}
        </span>
      </span>
      <Switch account={account} on={list === "blocked" ? "block" : "mute"} />
    </li>
  );
}

type SwitchProps = { account: AccountSummary; on: "block" | "mute" };

type Sentences = { label: string; named: string; failed: string };
const sentences: Record<`${"" | "un"}${SwitchProps["on"]}`, Sentences> = {
  block: { label: words.block, named: words.blockName, failed: words.couldntBlock },
  unblock: { label: words.unblock, named: words.unblockName, failed: words.couldntUnblock },
  mute: { label: words.mute, named: words.muteName, failed: words.couldntMute },
  unmute: { label: words.unmute, named: words.unmuteName, failed: words.couldntUnmute },
};

/** Updates at once and reverts on failure; the row stays, so that a mistake can be undone. */
function Switch({ account, on }: SwitchProps) {
  const off = `un${on}` as const;
  const { shown, set } = useToggle<unknown>({
    thing: "account",
    now: true,
    save: (next) => setOrWithdraw(`/api/${on}s/${account.id}`, next),
    onSaved: forgetLists,
    failure: (next) => fill(sentences[next ? on : off].failed, { name: account.name }),
  });
  const does = shown ? off : on;
  return (
    <form method="post" action={`/block/${account.id}`} onSubmit={instead(() => set(!shown))}>
      <BackHere />
      <IntentButton
        intent={does}
        look={shown ? "outline" : "quiet"}
        className="min-w-26"
        aria-label={fill(sentences[does].named, { name: account.name })}
      >
        {sentences[does].label}
      </IntentButton>
    </form>
  );
}
