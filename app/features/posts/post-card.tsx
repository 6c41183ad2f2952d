import { memo } from "react";
import { useNavigate } from "react-router";
import type { CommentView, PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { CommentPreview } from "#app/features/posts/comment-preview.tsx";
import { useLike } from "#app/features/likes/like-button.tsx";
import { useTapToLike } from "#app/features/likes/use-tap-to-like.tsx";
import { LightboxPhotos } from "#app/features/posts/lightbox/lightbox-photos.tsx";
import { PostActions } from "#app/features/posts/post-actions.tsx";
import { PostAuthor } from "#app/features/posts/post-author.tsx";
import { PostMenu } from "#app/features/posts/post-menu.tsx";
import { useMorphing } from "#app/features/posts/use-morphing.ts";
import { PostPhoto } from "#app/features/posts/post-photo.tsx";
import { TextPost } from "#app/features/posts/text-post.tsx";
import { Veil } from "#app/features/posts/veil.tsx";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { ExpandableText } from "#app/features/posts/expandable-text.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  /** with its newest comments, in the home feed */
  post: PostView & { comments?: CommentView[] };
  viewerId: string | null;
  /** the first photo of a screen: it is loaded at once */
  first?: boolean;
};

/** Position in a list that is not complete: the first is 1; -1: the total is not known. */
type ListPosition = { position?: number; count?: number };

/** A post in a list. Memoized: a list that grows, or is hydrated, does not render its cards again. */
export const PostCard = memo(function PostCard({ position, count, ...of }: Props & ListPosition) {
  const { post } = of;
  return (
    <article
      id={post.id}
      aria-label={fill(post.pictures.length > 0 ? words.photoBy : words.wordsBy, {
        name: post.author.name,
      })}
      aria-posinset={position}
      aria-setsize={count}
      data-narrow={post.private || post.audience !== "everyone" || undefined}
      className="scroll-mt-16 overflow-hidden border-line bg-base-100 max-md:border-b md:mb-6 md:scroll-mt-4 md:card"
    >
      <CardBody {...of} />
    </article>
  );
});

/** Author and time, the photo or the text, the actions, the caption, two comments. */
function CardBody({ post, viewerId, first = false }: Props) {
  const to = pathOfPost(post);
  const morphing = useMorphing(to);
  const of = { post, like: useLike(post), signedIn: viewerId !== null };
  const navigate = useNavigate();
  const [tap, heart] = useTapToLike(of.like, of.signedIn);
  const [photo] = post.pictures;
  const menu = <PostMenu post={post} viewerId={viewerId} />;
  const shown = {
    alt: fill(words.photoBy, { name: post.author.name }),
    priority: first,
    className: morphing,
  };
  return (
    <>
      {photo && (
        <PostAuthor post={post} viewerId={viewerId} to={to}>
          {menu}
        </PostAuthor>
      )}
      {photo ? (
        <Veil post={post} part="card">
          {post.pictures.length > 1 ? (
            <LightboxPhotos photos={post.pictures} of={of} {...shown} />
          ) : (
            <PostPhoto
              photo={photo}
              {...shown}
              wrap={(photo) => (
                <Link
                  to={to}
                  viewTransition
                  onClick={(event) => tap(event, () => void navigate(to, { viewTransition: true }))}
                  className="relative block size-full touch-manipulation -outline-offset-2"
                  aria-label={words.openPost}
                >
                  {photo}
                  {heart()}
                </Link>
              )}
            />
          )}
        </Veil>
      ) : (
        <TextPost post={post} viewerId={viewerId}>
          {menu}
        </TextPost>
      )}
      <div className="px-4 pb-4 has-[>:only-child]:pb-1 print:pt-3">
        <PostActions {...of} />
        <Veil post={post} part="words">
          {photo && post.caption && <Caption {...post} text={post.caption} to={to} />}
          <CommentPreview post={post} viewerId={viewerId} />
        </Veil>
      </div>
    </>
  );
}

type CaptionProps = {
  text: string;
  language: string | null;
  mentions: readonly string[];
  /** address of the whole post */
  to: string;
};

/** A caption that folds after three lines; in the column they hold about 200 characters. */
function Caption({ text, language, mentions, to }: CaptionProps) {
  const long = text.length > 200 || text.split("\n").length > 3;
  return (
    <ExpandableText
      text={text}
      language={language}
      mentions={mentions}
      to={to}
      more={words.moreOfCaption}
      lines="max-h-[3lh] overflow-hidden"
      long={long}
      overlaid
    />
  );
}
