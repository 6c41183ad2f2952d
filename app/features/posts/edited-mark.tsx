import { Link } from "react-router";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { PostTime } from "#app/ui/post-time.tsx";
import { pathOfPost } from "#app/lib/text/links.ts";

/** Says that a post was edited, and when. For its author it links to the earlier versions. */
export function EditedMark({ post }: { post: PostView }) {
  if (post.editedAt === null) return null;
  const mark = <PostTime at={post.editedAt} label={words.edited} />;
  if (!post.mine) return mark;
  return (
    <Link to={`${pathOfPost(post)}/versions`} className="inline-block min-h-6 hover:underline">
      {mark}
    </Link>
  );
}
