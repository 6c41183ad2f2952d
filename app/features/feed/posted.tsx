import type { FeedPost, Page } from "#shared/views.ts";
import { copyLink as copyLabel } from "#messages/common.json";
import * as words from "#messages/feed.json";
import { PostCard } from "#app/features/posts/post-card.tsx";
import { Postmark } from "#app/features/posts/postmark.tsx";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { Link } from "#app/ui/link.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

/**
 * The post that its author has just published, above the feed and not in it. A list of one: edits and a
 * deletion find it there as they find every other post.
 */
export function Posted({ page }: { page: Page<FeedPost> }) {
  const { items } = useInfiniteList(page, "");
  const [shown] = items;
  useEdits(items);
  if (!shown) return null;
  const path = pathOfPost(shown);
  const link = "inline-flex min-h-11 items-center font-semibold text-primary hover:underline";
  return (
    <section
      aria-label={words.yourNewPost}
      className="just-posted overflow-hidden border-line bg-base-100 max-md:border-b md:mb-6 md:card"
    >
      <div className="airmail h-2" />
      <div className="flex items-center gap-4 border-b border-line px-4">
        <p role="status" className="font-semibold">
          {words.posted}
        </p>
        <Link to={path} className={link}>
          {words.view}
        </Link>
        <button
          type="button"
          className={`${link} noscript:hidden`}
          onClick={() => {
            void import("#app/lib/text/copy-link.ts").then(({ copyLink }) => copyLink(path));
          }}
        >
          {copyLabel}
        </button>
        {shown.pictures.length > 0 && (
          <span className="pointer-events-none relative z-1 ms-auto py-2">
            <Stamp className="w-9 rotate-3" />
            <Postmark at={shown.createdAt} />
          </span>
        )}
      </div>
      <PostCard post={shown} viewerId={shown.author.id} first />
    </section>
  );
}
