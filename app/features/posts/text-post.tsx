import type { ReactNode } from "react";
import { Link } from "react-router";
import type { PostView } from "#shared/views.ts";
import { AudienceMark } from "#app/features/posts/audience/audience-mark.tsx";
import { ExpandableText } from "#app/features/posts/expandable-text.tsx";
import { WhenPosted } from "#app/features/posts/post-author.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { PortraitStamp } from "#app/features/posts/postmark.tsx";
import { pathOfPost, profilePath } from "#app/lib/text/links.ts";

type Props = {
  post: PostView;
  viewerId: string | null;
  /** the post's own page shows all of it, and its author above it */
  whole?: boolean;
  /** beside the stamp */
  children?: ReactNode;
};

/** A text post: the back of a postcard. The text at the left, the address and the stamp at the right. */
export function TextPost({ post, viewerId, whole = false, children }: Props) {
  const { author, caption } = post;
  const { size, lines } = textClasses(caption);
  const to = pathOfPost(post);
  const profile = profilePath(author, viewerId);
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)_8rem] bg-paper sm:grid-cols-[minmax(0,1fr)_11rem] ${
        // Beside the text the address would be a useless strip on a phone: it is above.
        whole && caption.length > 280 ? "max-sm:block" : ""
      }`}
    >
      <header
        aria-hidden={whole}
        className="col-start-2 row-start-1 my-4 flex flex-col border-s border-line ps-3 pe-4 text-xs text-muted sm:text-sm"
      >
        <div className="mb-auto flex justify-end pb-4">
          {whole ? (
            <PortraitStamp post={post} />
          ) : (
            <Link to={profile} tabIndex={-1} aria-hidden="true">
              <PortraitStamp post={post} />
            </Link>
          )}
          {children}
        </div>
        {/* On its own page, name and time are right above it until the two are side by side. */}
        <p className={`border-b border-line pt-1 ${whole ? "max-lg:hidden" : ""}`}>
          {whole ? (
            <bdi className="block truncate leading-6">{author.name}</bdi>
          ) : (
            <Link
              to={profile}
              className="block truncate leading-6 font-semibold text-base-content hover:underline"
            >
              <bdi>{author.name}</bdi>
            </Link>
          )}
        </p>
        <p className="truncate border-b border-line pt-1 leading-6">@{author.username}</p>
        <div className={`border-b border-line pt-1 leading-6 ${whole ? "max-lg:hidden" : ""}`}>
          {whole ? (
            <>
              <PostTime at={post.createdAt} />
              <AudienceMark of={post} before=" " />
            </>
          ) : (
            <WhenPosted post={post} to={to} stacked />
          )}
        </div>
      </header>
      <div className="col-start-1 row-start-1 p-4 sm:p-6">
        <ExpandableText
          {...{ text: caption, mentions: post.mentions, to, whole, lines }}
          long={caption.length > 500}
          more="text"
          className={`font-wordmark ${size}`}
        />
      </div>
    </div>
  );
}

/** Short text is large, long text smaller; text longer than a card folds. */
function textClasses(text: string): { size: string; lines: string } {
  if (text.length <= 90) return { size: "text-3xl/snug", lines: "line-clamp-10" };
  if (text.length <= 280) return { size: "text-2xl/snug", lines: "line-clamp-12" };
  return { size: "text-xl/snug", lines: "line-clamp-12" };
}
