import { useState } from "react";
import { useRevalidator } from "react-router";
import type { SuggestedAccount } from "#shared/views.ts";
import * as words from "#messages/feed.json";
import { findPeople } from "#messages/shell.json";
import { SuggestedAccounts } from "#app/features/suggestions/suggested-accounts.tsx";
import { SuggestionCard } from "#app/features/suggestions/suggestion-card.tsx";
import { useLive } from "#app/lib/live/live.ts";
import { scrollToTop } from "#app/lib/page/scroll-behavior.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { linkTo } from "#app/ui/text-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { NewItemsButton } from "#app/ui/new-items-button.tsx";

type Props = {
  suggestions: SuggestedAccount[];
  /** the member's own, which are no mail to them */
  posts: number;
  /** the card of the first days says what to do */
  greeted: boolean;
};

const looks = { section: "px-4 pb-4 md:px-0", heading: "pb-3", list: "flex flex-col gap-3" };

/** A home page without posts: a sentence, and accounts to follow. */
export function EmptyHome({ suggestions, posts, greeted }: Props) {
  const [arrived, setArrived] = useState(false);
  const [followed, setFollowed] = useState<ReadonlySet<string>>(new Set());
  const { revalidate, state } = useRevalidator();
  useLive("new-post", () => setArrived(true));

  /** The feed replaces this page: a scroll position far down here is nowhere there. */
  async function showFeed(): Promise<void> {
    await revalidate();
    scrollToTop();
  }

  function count({ id }: SuggestedAccount, following: boolean): void {
    setFollowed((before) => {
      const next = new Set(before);
      if (following) next.add(id);
      else next.delete(id);
      return next;
    });
  }

  return (
    <>
      <NewItemsButton
        label={arrived ? words.someNewPosts : null}
        pending={state !== "idle"}
        onPress={() => void showFeed()}
      />
      {!greeted && (
        <EmptyState
          drawing={posts === 0 ? "mailbox" : "plane"}
          title={posts === 0 ? words.noMail : words.nothingFromOthers}
          action={suggestions.length === 0 && <ButtonLink to="/search">{findPeople}</ButtonLink>}
        >
          <p>{words.followAFew}</p>
          {posts > 0 && (
            <p className="mt-2">
              {rich(words.ownOnProfile, {
                link: linkTo("/profile"),
              })}
            </p>
          )}
        </EmptyState>
      )}
      <SuggestedAccounts
        accounts={suggestions}
        Card={SuggestionCard}
        looks={looks}
        hidesRail
        onFollow={count}
      />
      {followed.size > 0 && <SeeFeed followed={followed.size} />}
    </>
  );
}

/**
 * Stays in sight while one scrolls the list. A navigation of its own, which begins at the top: loaded as a
 * document, the same address is the same history entry, and the browser would restore the scroll position
 * of the list.
 */
function SeeFeed({ followed }: { followed: number }) {
  return (
    <p className="sticky bottom-20 z-10 flex justify-center pb-2">
      <ButtonLink
        to="/"
        look="primary"
        className="rounded-full shadow-lg motion-appear"
        // This button disappears with the list.
        onClick={() => document.querySelector<HTMLElement>("#page")?.focus({ preventScroll: true })}
      >
        {fill(words.seeFeed, { count: followed })}
      </ButtonLink>
    </p>
  );
}
