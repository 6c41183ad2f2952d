import { useId, useRef } from "react";
import type { SuggestedAccount } from "#shared/views.ts";
import { SuggestionCard } from "#app/features/suggestions/suggestion-card.tsx";
import { useDismissals } from "#app/features/suggestions/use-dismissals.ts";

type Props = {
  accounts: SuggestedAccount[];
  /** in the rail: smaller cards, in a box of their own */
  small?: boolean;
  onFollow?: (account: SuggestedAccount, following: boolean) => void;
};

/** Cards of accounts to follow; nothing where none are left. */
export function SuggestedAccounts({ accounts, small = false, onFollow }: Props) {
  const { left, dismiss } = useDismissals(accounts);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  if (left.length === 0) return null;
  return (
    <section
      aria-labelledby={id}
      // The rail beside it would show the same accounts.
      data-people={small ? undefined : ""}
      className={small ? "card px-4 pt-3 pb-1" : "px-4 pb-4 md:px-0"}
    >
      <h2
        id={id}
        ref={heading}
        tabIndex={-1}
        className={small ? "font-semibold" : "pb-3 font-semibold"}
      >
        People to follow
      </h2>
      <ul className={small ? "" : "flex flex-col gap-3"}>
        {left.map((account) => (
          <SuggestionCard
            key={account.id}
            account={account}
            small={small}
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
