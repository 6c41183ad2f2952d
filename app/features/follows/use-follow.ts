import type { AccountSummary, ProfileView } from "#shared/views.ts";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";

export type FollowAnswer = { following: boolean; counts: ProfileView["counts"] };

type Options = {
  account: AccountSummary;
  /** the state the page was rendered with */
  following: boolean;
  onAnswer?: ((answer: FollowAnswer) => void) | undefined;
};

/** Follows and unfollows: changes at once, reverts with a message when the save fails. */
export function useFollow({ account, following, onAnswer }: Options) {
  return useToggle<FollowAnswer>({
    thing: "account",
    now: following,
    save: (next) => setOrWithdraw(`/api/accounts/${account.username}/follow`, next),
    onSaved: (answer) => {
      forgetLists();
      onAnswer?.(answer);
    },
    failure: (next) => `Couldn't ${next ? "follow" : "unfollow"} ${account.name}.`,
  });
}
