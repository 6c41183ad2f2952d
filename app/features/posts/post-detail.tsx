import type { PostView } from "#shared/views.ts";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { DeletePost } from "#app/features/posts/delete-post.tsx";
import { useLike } from "#app/features/likes/like-button.tsx";
import { PicturesThatOpen } from "#app/features/posts/lightbox/pictures-that-open.tsx";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { PostActions } from "#app/features/posts/post-actions.tsx";
import { PostAuthor } from "#app/features/posts/post-author.tsx";
import { Postmark } from "#app/features/posts/postmark.tsx";
import { TextPost } from "#app/features/posts/text-post.tsx";
import { pathOfPost } from "#app/lib/text/links.ts";

type Props = { post: PostView; viewerId: string | null };

/**
 * A post on its own page, whole. At a desk it spans the page's two columns: the photo, or the words,
 * at the left and as long as the window, where they stay while one reads at the right.
 */
export function PostDetail({ post, viewerId }: Props) {
  const { author, caption, pictures } = post;
  const of = { post, like: useLike(post), signedIn: viewerId !== null };
  return (
    <article
      id={post.id}
      className={`border-line max-md:border-b md:overflow-clip md:border max-lg:md:rounded-box lg:col-span-full lg:row-span-full lg:grid lg:grid-cols-subgrid lg:grid-rows-subgrid lg:border-0 lg:[reading-flow:grid-columns] ${
        pictures.length > 0 ? "bg-base-100" : "bg-base-200 lg:bg-base-100"
      }`}
    >
      <h1 className="sr-only">{`Post by ${author.name}`}</h1>
      <div className="lg:col-start-2">
        <PostAuthor post={post} viewerId={viewerId}>
          {post.mine ? <DeletePost post={post} /> : pictures.length === 0 && <Postmark />}
          {viewerId !== null && !post.mine && (
            <HideButton account={author} theirPage className="-me-2.5" />
          )}
        </PostAuthor>
      </div>
      <div className="border-line bg-base-200 max-lg:contents lg:sticky lg:bottom-0 lg:col-start-1 lg:row-span-full lg:row-start-1 lg:grid lg:min-h-(--room) lg:content-center lg:self-end lg:border-e lg:p-6 lg:[--around-photo:calc(100dvh-var(--room)+4.5rem)]">
        {pictures.length > 0 ? (
          <PicturesThatOpen
            pictures={pictures}
            of={of}
            alt={`Photo by ${author.name}`}
            priority
            large
            className="[view-transition-name:photo] lg:border-12 lg:border-base-100 lg:shadow-md"
          />
        ) : (
          <div className="lg:mx-auto lg:w-full lg:max-w-column lg:rounded-box lg:bg-base-100 lg:px-4 lg:py-8 lg:shadow-md">
            <TextPost text={caption} to={pathOfPost(post)} whole />
          </div>
        )}
      </div>
      <div className="border-line px-4 pb-4 lg:col-start-2 lg:border-b print:pt-3">
        <PostActions {...of} />
        {pictures.length > 0 && caption && (
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            <LinkedText text={caption} />
          </p>
        )}
      </div>
    </article>
  );
}
