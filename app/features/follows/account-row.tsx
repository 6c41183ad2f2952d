import type { ReactNode } from "react";
import type { AccountSummary } from "#shared/views.ts";
import { you } from "#messages/common.json";
import { profilePath } from "#app/lib/text/links.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  account: AccountSummary;
  viewerId: string | null;
  /** below the name, in smaller text; else the username */
  about?: ReactNode;
  /** at the end of the row, such as a Follow button */
  children?: ReactNode;
};

/** An account in a list: avatar and name, linked to the profile. */
export function AccountRow({ account, viewerId, about, children }: Props) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 pe-4 md:pe-0">
      <Link
        to={profilePath(account, viewerId)}
        className="group flex min-h-16 min-w-0 flex-1 items-center gap-3 py-2 ps-4 md:ps-0"
      >
        <Avatar name={account.name} image={account.avatar} size="lg" />
        <span className="min-w-0">
          <span dir="auto" className="line-clamp-2 font-medium wrap-anywhere group-hover:underline">
            {account.name}
          </span>
          <span className="block text-sm text-muted">
            {about ?? <bdi className="wrap-anywhere">@{account.username}</bdi>}
          </span>
        </span>
      </Link>
      {account.id === viewerId && <span className="min-w-28 text-center text-muted">{you}</span>}
      {children}
    </li>
  );
}
