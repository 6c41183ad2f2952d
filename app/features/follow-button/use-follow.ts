import { useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { AccountSummary, ProfileView } from "#shared/views.ts";
import { createLastWish } from "#app/lib/last-wish.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { isSignedOut, postForm, sentenceOf } from "#app/lib/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/remembered-lists.ts";

export type FollowAnswer = { following: boolean; counts: ProfileView["counts"] };

type Options = {
  account: AccountSummary;
  /** what the page was rendered with */
  following: boolean;
  onAnswer?: ((answer: FollowAnswer) => void) | undefined;
};

/** Follows and unfollows: flips at once, reverts and says so when the save fails. */
export function useFollow({ account, following, onAnswer }: Options) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [shown, setShown] = useState(following);
  const [read, setRead] = useState(following);
  if (read !== following) {
    setRead(following);
    setShown(following);
  }

  const start = () =>
    createLastWish<boolean, FollowAnswer>({
      // nothing is under way when a new one starts, so what is shown is what is saved
      saved: shown,
      save: (wish) =>
        postForm("/calls/follow", { accountId: account.id, wish: wish ? "follow" : "unfollow" }),
      onSettled: (saved, answer) => {
        wishes.current = null;
        setShown(saved);
        forgetLists();
        onAnswer?.(answer);
      },
      onFailed: (saved, error) => {
        wishes.current = null;
        setShown(saved);
        if (isSignedOut(error)) {
          void navigate(signInPath({ pathname, search }));
          return;
        }
        notify.error(
          `Could not ${saved ? "unfollow" : "follow"} ${account.name}. ${sentenceOf(error)}`,
        );
      },
    });
  const wishes = useRef<ReturnType<typeof start> | null>(null);

  function wish(next: boolean) {
    setShown(next);
    wishes.current ??= start();
    wishes.current.wish(next);
  }
  return { shown, wish };
}
