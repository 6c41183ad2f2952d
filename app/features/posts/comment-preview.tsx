import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { pathOfPost, profilePath } from "#app/lib/text/links.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  /** with its two newest comments, in the home feed */
  post: PostView & { comments?: CommentView[] };
  viewerId: string | null;
};

/** Below a card: two comments at most, and a link to all of them. */
export function CommentPreview({ post, viewerId }: Props) {
  const { comments = [], commentCount } = post;
  if (commentCount === 0) return null;
  return (
    <div className="pt-1">
      {commentCount > comments.length && (
        <Link
          to={`${pathOfPost(post)}#comments`}
          className="-my-1 flex min-h-11 w-fit items-center text-muted hover:text-base-content hover:underline"
        >
          {counted(words.viewComments, commentCount)}
        </Link>
      )}
      {comments.length > 0 && (
        <ul aria-label={words.newestComments} className="flex flex-col gap-1">
          {comments.map(({ id, author, body, mentions }) => (
            <li key={id} className="line-clamp-2 wrap-anywhere">
              <Link to={profilePath(author, viewerId)} className="font-semibold hover:underline">
                <bdi>{author.name}</bdi>
              </Link>{" "}
              <bdi>
                <LinkedText text={body} mentions={mentions} />
              </bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
