import { Link } from "react-router";
import * as words from "#messages/chat.json";
import { rich } from "#app/lib/text/messages.tsx";
import type { AccountSummary } from "#shared/views.ts";

/** Replaces the message field where the two can no longer write to each other. */
export function ClosedNotice({ other }: { other: AccountSummary | null }) {
  return (
    <p className="shrink-0 border-t border-line bg-base-200 px-4 py-4 text-center text-sm text-pretty">
      {other
        ? rich(words.noLongerFollowing, {
            name: (
              <Link to={`/search/${other.id}`} className="link">
                <bdi>{other.name}</bdi>
              </Link>
            ),
          })
        : words.accountGone}
    </p>
  );
}
