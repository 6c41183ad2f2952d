import { useState } from "react";
import { Link, useRevalidator } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { FollowButton } from "#app/features/follows/follow-button.tsx";
import { useLive } from "#app/lib/live/live.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { NewsButton } from "#app/ui/news-button.tsx";

type Props = {
  suggestions: AccountSummary[];
  /** the member's own, which are no mail to them */
  posts: number;
  viewerId: string;
};

/** A home without posts: a sentence, and people to follow. */
export function EmptyHome({ suggestions, posts, viewerId }: Props) {
  const [arrived, setArrived] = useState(false);
  const { revalidate, state } = useRevalidator();
  useLive("new-post", () => setArrived(true));
  return (
    <>
      <NewsButton
        label={arrived ? "New posts" : null}
        pending={state !== "idle"}
        onPress={() => void revalidate()}
      />
      <EmptyState
        drawing={posts === 0 ? "mailbox" : "plane"}
        title={titleWith(posts)}
        action={suggestions.length === 0 && <ButtonLink to="/search">Find people</ButtonLink>}
      >
        <p>Follow a few people, and their photos and words arrive here.</p>
        {posts > 0 && (
          <p className="mt-2">
            What you post is on{" "}
            <Link to="/profile" className="link">
              your profile
            </Link>
            .
          </p>
        )}
      </EmptyState>
      {suggestions.length > 0 && (
        <section aria-labelledby="people-to-follow" className="border-t border-line pt-4">
          <h2 id="people-to-follow" className="px-4 pb-1 font-semibold">
            People to follow
          </h2>
          <ul>
            {suggestions.map((account) => (
              <AccountRow key={account.id} account={account} viewerId={viewerId}>
                <FollowButton account={account} following={false} signedIn />
              </AccountRow>
            ))}
          </ul>
          <p className="p-4 text-center">
            <ButtonLink to="/" reloadDocument>
              See your feed
            </ButtonLink>
          </p>
        </section>
      )}
    </>
  );
}

function titleWith(posts: number): string {
  if (posts === 0) return "No mail yet";
  return posts === 1 ? "Your post is out" : "Your posts are out";
}
