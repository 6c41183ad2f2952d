import { useState } from "react";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { ToggleForm } from "#app/lib/toggles/toggle-form.tsx";
import { compactCount } from "#app/lib/text/counts.ts";
import { apiPathOf, pathOfPost } from "#app/lib/text/links.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { useLive } from "#app/lib/live/live.ts";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { changeListed } from "#app/lib/lists/use-infinite-list.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { HeartIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Answer = { liked: boolean; likeCount: number };
type Props = { post: PostView; signedIn: boolean; like: Like };
export type Like = ReturnType<typeof useLike>;

/** The like of a post, for every heart of it on the screen: at once; the count when it is saved. */
export function useLike(post: PostView) {
  const [count, setCount] = useResettableState(post.likeCount);
  const [pops, setPops] = useState(0);
  useLive("post", (counts) => {
    if (counts.post === `${post.author.id}.${post.id}`) setCount(counts.likeCount);
  });
  const { shown, set } = useToggle<Answer>({
    thing: "post",
    now: post.liked,
    save: (next) => setOrWithdraw(`${apiPathOf(post)}/like`, next),
    onSaved: ({ liked, likeCount }) => {
      setCount(likeCount);
      changeListed<PostView>(post.id, (listed) => ({ ...listed, liked, likeCount }));
    },
    failure: (next) => (next ? words.notLiked : words.notUnliked),
  });

  function toggle() {
    if (!shown) setPops(pops + 1);
    set(!shown);
  }

  return { count, shown, pops, toggle };
}

/** The heart and its count, which is a link to the likes. */
export function LikeButton({ post, signedIn, like: { count, shown, pops, toggle } }: Props) {
  const content = (
    <>
      <span aria-hidden="true" className="pe-2 tabular-nums">
        {compactCount(count)}
      </span>
      <span className="sr-only">{counted(words.likes, count)}</span>
    </>
  );
  return (
    <div className="flex items-center">
      <ToggleForm
        post={post}
        signedIn={signedIn}
        intent={shown ? "unlike" : "like"}
        onToggle={toggle}
      >
        <button
          type="submit"
          aria-label={words.like}
          data-shortcut="like"
          aria-pressed={signedIn ? shown : undefined}
          title={shown ? words.unlike : words.like}
          className="grid size-11 place-items-center rounded-full hover:bg-base-content/8 hover:text-base-content"
        >
          <HeartIcon
            // Each new like pops.
            key={pops}
            weight={shown ? "fill" : "regular"}
            aria-hidden
            className={`size-6.5 ${shown ? "text-error" : ""} ${pops > 0 && shown ? "motion-pop" : ""}`}
          />
        </button>
      </ToggleForm>
      <span aria-live="polite">
        {count > 0 ? (
          <Link
            to={`${pathOfPost(post)}/likes`}
            title={words.likedBy}
            className="flex h-11 min-w-6 items-center hover:text-base-content hover:underline"
          >
            {content}
          </Link>
        ) : (
          content
        )}
      </span>
    </div>
  );
}
