import type { PostView } from "#shared/views.ts";
import { PicturesThatOpen } from "#app/features/posts/lightbox/pictures-that-open.tsx";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { PostActions } from "#app/features/posts/post-actions.tsx";
import { PostAuthor } from "#app/features/posts/post-author.tsx";
import { PostMenu } from "#app/features/posts/post-menu.tsx";
import { Postmark } from "#app/features/posts/postmark.tsx";
import { TextPost } from "#app/features/posts/text-post.tsx";
import { pathOfPost } from "#app/lib/text/links.ts";

type Props = { post: PostView; viewerId: string | null };

/** A post on its own page, whole. */
export function PostDetail({ post, viewerId }: Props) {
  const { author, caption, pictures } = post;
  return (
    <article
      id={post.id}
      className={`border-line max-md:border-b md:overflow-hidden md:rounded-box md:border ${
        pictures.length > 0 ? "bg-base-100" : "bg-base-200"
      }`}
    >
      <h1 className="sr-only">{`Post by ${author.name}`}</h1>
      <PostAuthor post={post} viewerId={viewerId}>
        {!post.mine && pictures.length === 0 && <Postmark />}
        <PostMenu post={post} viewerId={viewerId} ownPage />
      </PostAuthor>
      <PicturesThatOpen
        pictures={pictures}
        alt={`Photo by ${author.name}`}
        priority
        className="[view-transition-name:photo]"
      />
      {pictures.length === 0 && <TextPost text={caption} to={pathOfPost(post)} whole />}
      <div className="px-4 pb-4 print:pt-3">
        <PostActions post={post} signedIn={viewerId !== null} />
        {pictures.length > 0 && caption && (
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            <LinkedText text={caption} />
          </p>
        )}
      </div>
    </article>
  );
}
