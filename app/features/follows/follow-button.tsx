import { Form } from "react-router";
import type { AccountSummary, ProfileView } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { instead } from "#app/lib/instead.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { followParameter } from "#app/lib/return-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  account: Followable;
  /** where the page knows: a follow is a request */
  isPrivate?: boolean;
  /** a visitor is led to the sign-in form and back; who signs up there instead follows the account */
  signedIn: boolean;
  /** instead of "Follow" */
  label?: string;
  /** the account's new counts after a save */
  onAnswer?: (answer: FollowAnswer) => void;
  /** one of many: an outline is enough */
  quiet?: boolean;
  className?: string;
};

const field = fieldsOf<FormCalls["follows"]["follow"]>();

/** Follow / Following, or Requested where the account is private. Without scripts its form does the same. */
export function FollowButton({
  account,
  isPrivate,
  signedIn,
  label = words.follow,
  onAnswer,
  quiet = false,
  className = "min-w-28",
}: Props) {
  const { shown, set, asks } = useFollow({ account, isPrivate, onAnswer });
  const button = (
    <Button
      type="submit"
      look={shown ? "outline" : quiet ? "accent" : "primary"}
      title={account.name}
      className={className}
      // A double click counts as one press; keys have no such detail.
      onClick={(event) => {
        if (event.detail > 1) event.preventDefault();
      }}
    >
      {shown ? (asks ? words.requested : words.following) : label}
    </Button>
  );

  if (!signedIn) {
    return (
      <Form action="/signIn">
        <BackHere />
        <input type="hidden" name={followParameter} value={account.id} />
        {button}
      </Form>
    );
  }

  async function submit() {
    if (!shown) return set(true);
    if (asks) return set(false);
    const question = { title: words.unfollowQuestion, ok: words.yes, cancel: words.no };
    if (await ask({ ...question, text: account.name })) set(false);
  }

  return (
    <form
      action={`/follow/${account.id}`}
      method={shown && !asks ? "get" : "post"}
      onSubmit={instead(submit)}
    >
      <BackHere />
      {shown && asks && <input type="hidden" name="intent" value="unfollow" />}
      <input type="hidden" name={field("address")} value={account.username} />
      {button}
    </form>
  );
}

export type Followable = AccountSummary & {
  following: boolean;
  /** the viewer asked to follow it, and waits for an answer */
  requested: boolean;
};

type FollowAnswer = {
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

/** Follows and unfollows, or asks and withdraws: at once, and back with a message when the save fails. */
function useFollow({ account, isPrivate = false, onAnswer }: Options) {
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
