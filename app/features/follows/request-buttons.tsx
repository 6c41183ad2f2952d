import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { errorMessageAbout, setOrWithdraw } from "#app/lib/api-client.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { instead } from "#app/lib/instead.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { IntentButton } from "#app/ui/intent-button.tsx";

type Answer = "accept" | "refuse";

const field = fieldsOf<FormCalls["follows"]["accept"]>();
type Sentences = { label: string; named: string; done: string; failed: string };
const answers: Record<Answer, Sentences> = {
  accept: {
    label: words.accept,
    named: words.acceptName,
    done: words.followsYou,
    failed: words.couldntAccept,
  },
  refuse: {
    label: words.refuse,
    named: words.refuseName,
    done: words.refused,
    failed: words.couldntRefuse,
  },
};

/** Answers somebody's request to follow: at once, and turned back with a message when that fails. */
export function RequestButtons({ account }: { account: AccountSummary }) {
  const [answer, setAnswer] = useState<Answer | null>(null);

  async function submit({ nativeEvent }: SubmitEvent<HTMLFormElement>): Promise<void> {
    const pressed = nativeEvent.submitter as HTMLButtonElement | null;
    const chosen: Answer = pressed?.value === "refuse" ? "refuse" : "accept";
    setAnswer(chosen);
    try {
      await setOrWithdraw(`/api/follow-requests/${account.id}`, chosen === "accept");
      forgetLists();
    } catch (error) {
      setAnswer(null);
      const what = fill(answers[chosen].failed, { name: account.name });
      notify.error(`${what} ${errorMessageAbout("account", error)}`);
    }
  }

  if (answer) return <Answered>{answers[answer].done}</Answered>;
  return (
    <form
      method="post"
      action="/follow-requests"
      onSubmit={instead(submit)}
      className="flex flex-wrap gap-2 sm:justify-end"
    >
      <BackHere />
      <input type="hidden" name={field("id")} value={account.id} />
      {(["accept", "refuse"] as const).map((which) => (
        <IntentButton
          key={which}
          intent={which}
          look={which === "accept" ? "primary" : "outline"}
          className="px-3"
          aria-label={fill(answers[which].named, { name: account.name })}
        >
          {answers[which].label}
        </IntentButton>
      ))}
    </form>
  );
}

/** In place of the pressed button, with its focus. */
function Answered({ children }: { children: ReactNode }) {
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => status.current?.focus(), []);
  return (
    <p ref={status} tabIndex={-1} role="status" className="text-sm text-muted">
      {children}
    </p>
  );
}
