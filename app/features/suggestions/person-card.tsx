import type { FocusEvent } from "react";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { FollowedBy } from "#app/features/follows/followed-by.tsx";
import { DismissButton, type CardProps } from "#app/features/suggestions/suggested-accounts.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Link } from "#app/ui/link.tsx";

/** A card that was reached by keyboard is where the row rests: elsewhere it would snap, and cut it. */
function showWhole({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!target.matches(":focus-visible")) return;
  currentTarget.scrollIntoView({ block: "nearest", inline: "start", behavior: "instant" });
}

/** An account to follow, one of a row of people: 150 × 200 px, and larger with larger letters. */
export function PersonCard({ account, onDismiss }: CardProps) {
  const { name, username, avatar, followedBy } = account;
  return (
    // Only scrolls, for what can be reached anyway.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onFocus={showWhole}
      className="group relative flex min-h-[12.5rem] w-[9.375rem] shrink-0 snap-start flex-col card p-2.5"
    >
      <Link
        to={`/search/${account.id}`}
        // The whole card is a link; its buttons lie above it.
        className="flex min-w-0 grow flex-col items-center gap-1 text-center after:absolute after:inset-0"
      >
        <Avatar name={name} image={avatar} size="lg" />
        <span className="max-w-full min-w-0">
          <span
            dir="auto"
            className="line-clamp-2 leading-tight font-semibold group-hover:underline"
          >
            {name}
          </span>
          <span className="line-clamp-2 text-xs text-muted">
            {followedBy ? (
              <FollowedBy by={followedBy} />
            ) : (
              <bdi dir="ltr" className="block truncate">
                @{username}
              </bdi>
            )}
          </span>
        </span>
      </Link>
      <div className="relative">
        <FollowButton account={account} signedIn quiet className="w-full" />
      </div>
      <DismissButton
        account={account}
        className="absolute end-0 top-0 size-11"
        onDismiss={onDismiss}
      />
    </li>
  );
}
