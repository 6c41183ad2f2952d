import type { ReactNode } from "react";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { ExpandableText } from "#app/features/posts/expandable-text.tsx";
import { WhenPosted } from "#app/features/posts/post-author.tsx";
import { PortraitStamp, Postmark } from "#app/features/posts/postmark.tsx";
import { Veil } from "#app/features/posts/veil.tsx";
import { pathOfPost, profilePath } from "#app/lib/text/links.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  post: PostView;
  viewerId: string | null;
  /** at the end of the author's line */
  children?: ReactNode;
};

/** A text post in a list: the back of a postcard. */
export function TextPost(props: Props) {
  const { post } = props;
  return (
    <div className="text-card">
      <Words post={post} />
      <TextAuthor {...props} to={pathOfPost(post)} />
    </div>
  );
}

/** The same on its own page, whole: its author is named beside it. */
export function WholeText({ post, asked }: WordsProps) {
  return (
    <div className="desk-words text-card">
      <Words post={post} asked={asked} whole />
      <div aria-hidden="true" className="text-by max-lg:hidden">
        <PortraitStamp post={post} />
        <Postmark at={post.createdAt} className="z-1" />
      </div>
    </div>
  );
}

function Words({ post, asked, whole = false }: WordsProps) {
  const { caption, language, mentions } = post;
  return (
    <div className="grid min-h-36 content-center p-4 sm:p-6">
      <Veil post={post} part="text" asked={asked}>
        <ExpandableText
          {...{ text: caption, language, mentions, whole }}
          to={pathOfPost(post)}
          lines="max-h-[10lh] overflow-hidden"
          long={caption.length > 400}
          more={words.moreOfText}
          className={`font-wordmark ${sizeOf(caption)}`}
        />
      </Veil>
    </div>
  );
}

type WordsProps = { post: PostView; asked?: boolean; whole?: boolean };

/** Short text is large, long text smaller. */
function sizeOf({ length }: string): string {
  if (length <= 80) return "text-3xl/tight md:text-[2.125rem]";
  if (length <= 200) return "text-2xl/snug md:text-[1.75rem]";
  return "text-xl/snug md:text-[1.375rem]";
}

/**
 * Who wrote a text post, and when. On a phone one line below the words; in a list from tablets on the side
 * of the card with the address; on the post's own page on a desktop above what is said about it.
 */
export function TextAuthor({ post, viewerId, to, children }: Props & { to?: string }) {
  const { author } = post;
  const profile = profilePath(author, viewerId);
  return (
    <header className="text-by">
      <Link to={profile} tabIndex={-1} aria-hidden="true">
        <PortraitStamp post={post} />
      </Link>
      <div className="text-address text-sm text-balance text-muted">
        <Link
          to={profile}
          dir="auto"
          className="line-clamp-2 min-h-6 leading-6 font-semibold wrap-anywhere text-base-content hover:underline"
        >
          {author.name}
        </Link>
        <WhenPosted post={post} to={to} />
      </div>
      <Postmark at={post.createdAt} className="z-1" />
      <div className="flex">{children}</div>
    </header>
  );
}
