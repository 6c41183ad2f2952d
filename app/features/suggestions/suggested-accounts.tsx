import { useId, useRef, type ComponentType, useState } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import * as words from "#messages/search.json";
import { instead } from "#app/lib/instead.ts";
import { BackHere } from "#app/lib/page/back-here.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { XIcon } from "#app/ui/icons.ts";
import { isGone, sendJson, errorMessage } from "#app/lib/api-client.ts";
import { notify } from "#app/lib/toasts.ts";

export type CardProps = {
  account: SuggestedAccount;
  onDismiss: () => void;
  onFollow?: ((following: boolean) => void) | undefined;
};

type Props = {
  accounts: SuggestedAccount[];
  Card: ComponentType<CardProps>;
  /** classes of the section, its heading and its list */
  looks: { section: string; heading: string; list: string };
  /** the rail beside the page would show the same accounts */
  hidesRail?: boolean;
  onFollow?: (account: SuggestedAccount, following: boolean) => void;
};

/** Cards of accounts to follow; nothing where none are left. */
export function SuggestedAccounts({ accounts, Card, looks, hidesRail, onFollow }: Props) {
  const { left, dismiss } = useDismissals(accounts);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  if (left.length === 0) return null;
  return (
    <section
      aria-labelledby={id}
      data-people={hidesRail ? "" : undefined}
      className={looks.section}
    >
      <h2 id={id} ref={heading} tabIndex={-1} className={`font-semibold ${looks.heading}`}>
        {words.peopleToFollow}
      </h2>
      <ul className={looks.list}>
        {left.map((account) => (
          <Card
            key={account.id}
            account={account}
            onFollow={(following) => onFollow?.(account, following)}
            onDismiss={() => {
              // The button that had the focus disappears.
              heading.current?.focus({ preventScroll: true });
              void dismiss(account);
            }}
          />
        ))}
      </ul>
    </section>
  );
}

type DismissProps = Pick<CardProps, "account" | "onDismiss"> & { className: string };

/** Without scripts its form does the same. */
export function DismissButton({ account, className, onDismiss }: DismissProps) {
  return (
    <form
      method="post"
      action={`/suggestions/${account.id}/dismiss`}
      onSubmit={instead(onDismiss)}
      className={className}
    >
      <BackHere />
      <button
        type="submit"
        aria-label={fill(words.dontSuggestPerson, { name: account.name })}
        title={words.dontSuggest}
        className="grid size-full place-items-center rounded-full text-muted hover:bg-base-200"
      >
        <XIcon className="size-4" aria-hidden />
      </button>
    </form>
  );
}

/** The remaining suggestions: a dismissed one disappears at once, and comes back when that was not saved. */
function useDismissals(suggested: SuggestedAccount[]) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());

  async function dismiss({ id, name }: SuggestedAccount): Promise<void> {
    setDismissed((before) => new Set(before).add(id));
    try {
      await sendJson("DELETE", `/api/suggestions/${id}`);
    } catch (error) {
      if (isGone(error)) return;
      setDismissed((before) => new Set([...before].filter((each) => each !== id)));
      notify.error(fill(words.notDismissed, { name, problem: errorMessage(error) }));
    }
  }

  return { left: suggested.filter(({ id }) => !dismissed.has(id)), dismiss };
}
