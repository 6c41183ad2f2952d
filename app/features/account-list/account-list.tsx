import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { profilePath } from "#app/lib/links.ts";

type Props<Account> = {
  accounts: Account[];
  viewerId: string | null;
  /** what stands at the end of a row, such as a Follow button */
  action?: (account: Account) => ReactNode;
};

/** People: avatar and name, each leading to a profile. */
export function AccountList<Account extends AccountSummary>(props: Props<Account>) {
  const { accounts, viewerId, action } = props;
  return (
    <ul>
      {accounts.map((account) => (
        <li key={account.id} className="flex items-center gap-3 pe-4">
          <Link
            to={profilePath(account, viewerId)}
            className="group flex min-h-16 min-w-0 flex-1 items-center gap-3 py-2 ps-4"
          >
            <Avatar name={account.name} picture={account.avatar} size="lg" />
            <span
              dir="auto"
              className="line-clamp-2 min-w-0 font-medium wrap-anywhere group-hover:underline"
            >
              {account.name}
            </span>
          </Link>
          {action?.(account)}
        </li>
      ))}
    </ul>
  );
}
