import { Link, useLocation } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Stamp, Wordmark } from "#app/ui/stamp.tsx";

/** The quiet right side from xl on. */
export function Rail({ viewer }: { viewer: AccountSummary | null }) {
  const { pathname } = useLocation();
  // Nothing beside the forms that ask for the same.
  if (/^\/sign(in|up|out)\/?$/i.test(pathname)) return null;
  return (
    <aside className="sticky top-20 hidden w-72 shrink-0 self-start xl:block">
      {viewer ? (
        <Link
          to="/profile"
          className="flex min-h-16 items-center gap-3 rounded-box px-2 hover:bg-base-200"
        >
          <Avatar name={viewer.name} picture={viewer.avatar} size="lg" />
          <span className="min-w-0">
            <span dir="auto" className="block truncate font-semibold">
              {viewer.name}
            </span>
            <span className="block truncate text-sm text-muted">{viewer.username}</span>
          </span>
        </Link>
      ) : (
        <div className="relative overflow-hidden rounded-box border border-line p-5 pt-6">
          <div className="airmail absolute inset-x-0 top-0 h-1.5" />
          <Stamp className="float-end ms-3 w-10 rotate-3" />
          <p className="font-wordmark text-xl text-balance italic">
            A picture on one side, a few warm words on the other.
          </p>
          <ButtonLink to="/signUp" look="outline" className="mt-4">
            Create your account
          </ButtonLink>
        </div>
      )}
      <p className="mt-6 px-2 text-sm text-muted">
        <Wordmark className="text-base" /> is free software that people host themselves.
      </p>
    </aside>
  );
}
