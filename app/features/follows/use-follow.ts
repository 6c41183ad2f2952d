import type { AccountSummary, ProfileView } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";

export type Followable = AccountSummary & {
  following: boolean;
  /** the viewer asked to follow it, and waits for an answer */
  requested: boolean;
};

export type FollowAnswer = {
  following: boolean;
  requested: boolean;
  counts: ProfileView["counts"];
};

type Options = {
  /** as the page was rendered with it */
  account: Followable;
  /** where that is known before the answer: a follow is a request */
  isPrivate?: boolean | undefined;
  onAnswer?: ((answer: FollowAnswer) => void) | undefined;
};

/**
 * Follows and unfollows, or asks and withdraws: changes at once, reverts with a message when the save fails.
 */
export function useFollow({ account, isPrivate = false, onAnswer }: Options) {
  const { following, requested } = account;
  const [asks, setAsks] = useResettableState(requested || (isPrivate && !following));
  const toggle = useToggle<FollowAnswer>({
    thing: "account",
    now: following || requested,
    save: (next) => setOrWithdraw(`/api/accounts/${account.username}/follow`, next),
    onSaved: (answer) => {
      forgetLists();
      // Whether it was a request shows only in the answer, where the account was not known to be private.
      setAsks(answer.requested || (isPrivate && !answer.following));
      onAnswer?.(answer);
    },
    failure: (next) =>
      fill(next ? words.couldntFollow : words.couldntUnfollow, { name: account.name }),
  });
  return { ...toggle, asks };
}
