import { useNavigate } from "react-router";
import type { PostView } from "#shared/views.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { Button } from "#app/ui/button.tsx";
import { TrashIcon } from "#app/ui/icons.ts";
import { tellAway } from "#app/ui/lazy-piece.tsx";

/** For the author of a post; asks first. Without scripts the form leads to a page that asks. */
export function DeletePost({ post }: { post: PostView }) {
  const navigate = useNavigate();

  async function remove(): Promise<void> {
    const { deletePost } = await import("#app/features/posts/post-acts.ts");
    await deletePost(post, () => navigate("/profile", { replace: true }));
  }

  return (
    <form
      action={`${pathOfPost(post)}/delete`}
      onSubmit={(event) => {
        event.preventDefault();
        void remove().catch(tellAway);
      }}
    >
      <Button type="submit" look="quiet" className="px-3">
        <TrashIcon className="size-5" aria-hidden />
        Delete
      </Button>
    </form>
  );
}
