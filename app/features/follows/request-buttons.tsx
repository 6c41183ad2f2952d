import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { useLocation } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { errorMessageAbout, setOrWithdraw } from "#app/lib/api-client.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { Button } from "#app/ui/button.tsx";

type Answer = "accept" | "refuse";

const field = fieldsOf<FormCalls["follows"]["accept"]>();
const answers: [answer: Answer, label: string, done: string][] = [
  ["accept", "Accept", "Follows you"],
  ["refuse", "Refuse", "Refused"],
];

/** Answers somebody's request to follow: at once, and turned back with a message when that fails. */
export function RequestButtons({ account }: { account: AccountSummary }) {
  const { pathname, search } = useLocation();
  const [answer, setAnswer] = useState<Answer | null>(null);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const pressed = event.nativeEvent.submitter as HTMLButtonElement | null;
    const chosen: Answer = pressed?.value === "refuse" ? "refuse" : "accept";
    setAnswer(chosen);
    try {
      await setOrWithdraw(`/api/follow-requests/${account.id}`, chosen === "accept");
      forgetLists();
    } catch (error) {
      setAnswer(null);
      const what = `Couldn't ${chosen} the request of ${account.name}.`;
      notify.error(`${what} ${errorMessageAbout("account", error)}`);
    }
  }

  if (answer) return <Answered>{answers.find(([which]) => which === answer)?.[2]}</Answered>;
  return (
    <form
      method="post"
      action="/follow-requests"
      onSubmit={(event) => void submit(event)}
      className="flex flex-wrap gap-2 sm:justify-end"
    >
      <input type="hidden" name={returnParameter} value={pathname + search} />
      <input type="hidden" name={field("id")} value={account.id} />
      {answers.map(([which, label]) => (
        <Button
          key={which}
          type="submit"
          name="intent"
          value={which}
          look={which === "accept" ? "primary" : "outline"}
          className="px-3"
          aria-label={`${label} ${account.name}`}
        >
          {label}
        </Button>
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
