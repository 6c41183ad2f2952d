import type { ReactNode, SubmitEvent } from "react";
import { Form, useLocation } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { useFollow, type FollowAnswer } from "#app/features/follows/use-follow.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  account: AccountSummary;
  following: boolean;
  /** the viewer asked to follow it, and waits for an answer */
  requested?: boolean | undefined;
  /** where the page knows: a follow is a request */
  isPrivate?: boolean;
  /** a visitor is led to the sign-in form and back */
  signedIn: boolean;
  /** instead of "Follow" */
  label?: string;
  /** the account's new counts after a save */
  onAnswer?: (answer: FollowAnswer) => void;
  /** one of many: an outline is enough */
  quiet?: boolean;
  className?: string;
  /** text for visitors below it */
  forVisitors?: ReactNode;
};

const field = fieldsOf<FormCalls["follows"]["follow"]>();

/**
 * Follow / Following, or Requested where the account is private. Without scripts the forms around the buttons
 * do the same.
 */
export function FollowButton({
  account,
  following,
  requested = false,
  isPrivate,
  signedIn,
  label = words.follow,
  onAnswer,
  quiet = false,
  className = "min-w-28",
  forVisitors,
}: Props) {
  const { pathname, search } = useLocation();
  const { shown, set, asks } = useFollow({ account, following, requested, isPrivate, onAnswer });
  const from = <input type="hidden" name={returnParameter} value={pathname + search} />;
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
      <Form action="/signIn" className={forVisitors ? "grid justify-items-center pt-2" : undefined}>
        {from}
        {button}
        {forVisitors}
      </Form>
    );
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!shown) return set(true);
    if (asks) return set(false);
    const question = { title: words.unfollowQuestion, ok: words.yes, cancel: words.no };
    if (await ask({ ...question, text: account.name })) set(false);
  }

  return (
    <form
      action={`/follow/${account.id}`}
      method={shown && !asks ? "get" : "post"}
      onSubmit={submit}
    >
      {from}
      {shown && asks && <input type="hidden" name="intent" value="unfollow" />}
      <input type="hidden" name={field("address")} value={account.username} />
      {button}
    </form>
  );
}
