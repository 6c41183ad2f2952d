import { Link } from "react-router";
import type { PostView } from "#shared/views.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { PostTime } from "#app/features/post-time/post-time.tsx";
import { profilePath } from "#app/lib/links.ts";

type Props = {
  post: Pick<PostView, "author" | "createdAt">;
  viewerId: string | null;
  /** the post's own page; none on that page itself */
  to?: string;
};

/** Who posted and when. */
export function PostAuthor({ post: { author, createdAt }, viewerId, to }: Props) {
  return (
    <header className="flex items-center gap-3 px-4 py-3">
      <Link
        to={profilePath(author, viewerId)}
        tabIndex={-1}
        aria-hidden="true"
        className="shrink-0"
      >
        <Avatar name={author.name} picture={author.avatar} />
      </Link>
      <div className="min-w-0 leading-tight">
        <Link
          to={profilePath(author, viewerId)}
          dir="auto"
          className="line-clamp-1 font-semibold wrap-anywhere hover:underline"
        >
          {author.name}
        </Link>
        <span className="text-sm text-muted">
          {to ? (
            <Link to={to} className="hover:underline">
              <PostTime at={createdAt} />
            </Link>
          ) : (
            <PostTime at={createdAt} />
          )}
        </span>
      </div>
    </header>
  );
}
