import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/comments.json";
import { ToggleForm } from "#app/lib/toggles/toggle-form.tsx";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { compactCount } from "#app/lib/text/counts.ts";
import { apiPathOf } from "#app/lib/text/links.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { useToggle } from "#app/lib/toggles/use-toggle.ts";
import { HeartIcon } from "#app/ui/icons.ts";

type Answer = Pick<CommentView, "liked" | "likeCount">;
type Props = {
  comment: CommentView;
  post: PostView;
  signedIn: boolean;
  onSaved: (comment: CommentView) => void;
};

/** The heart of a comment and its count. */
export function CommentLike({ comment, post, signedIn, onSaved }: Props) {
  const { id, author } = comment;
  const [count, setCount] = useResettableState(comment.likeCount);
  const { shown, set } = useToggle<Answer>({
    thing: "comment",
    now: comment.liked,
    save: (next) => setOrWithdraw(`${apiPathOf(post)}/comments/${id}/like`, next),
    onSaved: (answer) => {
      setCount(answer.likeCount);
      onSaved({ ...comment, ...answer });
    },
    failure: (next) => (next ? words.likeFailed : words.unlikeFailed),
  });
  return (
    <ToggleForm
      post={post}
      comment={id}
      signedIn={signedIn}
      intent={shown ? "unlike" : "like"}
      onToggle={() => set(!shown)}
    >
      <button
        type="submit"
        aria-label={fill(words.likeOf, { name: author.name })}
        aria-pressed={signedIn ? shown : undefined}
        title={shown ? words.unlike : words.like}
        className="-mx-2 -my-1.5 flex h-11 min-w-11 items-center gap-1 px-2 hover:text-base-content"
      >
        <HeartIcon
          weight={shown ? "fill" : "regular"}
          aria-hidden
          className={`size-5 ${shown ? "text-error" : ""}`}
        />
        {count > 0 && compactCount(count)}
      </button>
      {count > 0 && <span className="sr-only">{counted(words.likes, count)}</span>}
    </ToggleForm>
  );
}
