import type { ReactNode } from "react";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { AudienceMark } from "#app/features/posts/audience/audience-mark.tsx";
import { Link } from "#app/ui/link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { profilePath, pathOfPost } from "#app/lib/text/links.ts";
import { Avatar } from "#app/ui/avatar.tsx";

type Props = {
  post: PostView;
  viewerId: string | null;
  /** the post's own page; none on that page itself */
  to?: string;
  /** at the end of the row */
  children?: ReactNode;
};

const dot = (
  <span aria-hidden="true" className="inline-block w-4 shrink-0 text-center">
    ·
  </span>
);

/** Who posted and when. */
export function PostAuthor({ post, viewerId, to, children }: Props) {
  const { author } = post;
  return (
    <header className="flex items-center gap-3 px-4 py-3 max-sm:gap-2 lg:gap-2">
      <Link
        to={profilePath(author, viewerId)}
        tabIndex={-1}
        aria-hidden="true"
        className="shrink-0"
      >
        <Avatar name={author.name} image={author.avatar} />
      </Link>
      <div className="min-w-0 flex-1">
        <Link
          to={profilePath(author, viewerId)}
          dir="auto"
          className="line-clamp-2 min-h-6 leading-6 font-semibold wrap-anywhere hover:underline"
        >
          {author.name}
        </Link>
        <div className="text-sm leading-6 text-muted">
          <WhenPosted post={post} to={to} />
        </div>
      </div>
      {children}
    </header>
  );
}

/** When it was posted, for whom, and the marks added since. */
export function WhenPosted({ post, to }: { post: PostView; to?: string | undefined }) {
  const time = <PostTime at={post.createdAt} />;
  return (
    // Dots between: one that begins a line is cut off.
    <div className="overflow-x-clip">
      <div className="-ms-4 flex flex-wrap">
        {/* Where the time wraps, the mark stays beside it. */}
        <span className="flex items-center">
          {dot}
          {to ? (
            <Link to={to} className="inline-block min-h-6 hover:underline">
              {time}
            </Link>
          ) : (
            time
          )}
          <AudienceMark of={post} before={dot} />
        </span>
        {post.imported && (
          <span title={words.importedFromArchive}>
            {dot}
            {words.imported}
          </span>
        )}
        {post.editedAt !== null && (
          <span>
            {dot}
            <EditedMark post={post} />
          </span>
        )}
      </div>
    </div>
  );
}

/** Says that a post was edited, and when. For its author it links to the earlier versions. */
function EditedMark({ post }: { post: PostView }) {
  if (post.editedAt === null) return null;
  const mark = <PostTime at={post.editedAt} label={words.edited} />;
  if (!post.mine) return mark;
  return (
    <Link to={`${pathOfPost(post)}/versions`} className="inline-block min-h-6 hover:underline">
      {mark}
    </Link>
  );
}
