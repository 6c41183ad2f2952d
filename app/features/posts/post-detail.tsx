import type { ReactNode } from "react";
import type { PhotoFacts as Facts } from "#shared/photo-details.ts";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { SignUpToFollow } from "#app/features/follows/sign-up-to-follow.tsx";
import { useLike } from "#app/features/likes/like-button.tsx";
import { DeletePost } from "#app/features/posts/delete-post.tsx";
import { LightboxPhotos } from "#app/features/posts/lightbox/lightbox-photos.tsx";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { PhotoFacts } from "#app/features/posts/photo-facts.tsx";
import { PostActions } from "#app/features/posts/post-actions.tsx";
import { PostAuthor } from "#app/features/posts/post-author.tsx";
import { PostMenuEntries } from "#app/features/posts/post-menu-entries.tsx";
import { PostMenu } from "#app/features/posts/post-menu.tsx";
import { TextAuthor, WholeText } from "#app/features/posts/text-post.tsx";
import { Veil } from "#app/features/posts/veil.tsx";
import { fill } from "#app/lib/text/messages.tsx";

const ownPage = { Entries: PostMenuEntries, Delete: DeletePost };

type Props = {
  post: PostView;
  viewerId: string | null;
  /** it is to be seen whatever its author warns of, without scripts */
  asked: boolean;
  /** how its photos were taken */
  photoFacts: readonly Facts[];
  /** below the caption */
  children?: ReactNode;
};

/**
 * A post on its own page, in full. On a desktop it spans the page's two columns: the photo, or the text, is
 * at the left and as tall as the window, and stays there while one reads at the right.
 */
export function PostDetail({ post, viewerId, asked, photoFacts, children }: Props) {
  const { author, caption, pictures } = post;
  const of = { post, like: useLike(post), signedIn: viewerId !== null };
  const veil = { post, asked };
  const by = { post, viewerId, children: <PostMenu {...{ post, viewerId, ownPage }} /> };
  return (
    <article
      id={post.id}
      className="desk-post border-line max-lg:bg-base-100 max-md:border-b md:overflow-clip max-lg:md:card"
    >
      <h1 className="sr-only">{fill(words.postBy, { name: author.name })}</h1>
      {pictures.length > 0 ? (
        <>
          <div className="desk-by">
            <PostAuthor {...by} />
            <Veil {...veil} part="warning" />
          </div>
          <div className="desk-shown">
            <Veil {...veil} part="photos">
              <LightboxPhotos
                photos={pictures}
                of={of}
                alt={fill(words.photoBy, { name: author.name })}
                priority
                large
                className="[view-transition-name:photo]"
              />
            </Veil>
          </div>
        </>
      ) : (
        <>
          <div className="desk-shown">
            <WholeText {...veil} />
          </div>
          <div className="desk-by">
            <TextAuthor {...by} />
          </div>
        </>
      )}
      <div className="desk-said px-4 pb-4 has-[>:only-child]:pb-1 print:pt-3">
        <PostActions {...of} />
        {pictures.length > 0 && caption && (
          <Veil {...veil} part="words">
            <p
              dir="auto"
              lang={post.language ?? undefined}
              className="whitespace-pre-wrap wrap-anywhere"
            >
              <LinkedText text={caption} mentions={post.mentions} />
            </p>
          </Veil>
        )}
        <PhotoFacts photos={pictures} photoFacts={photoFacts} />
        {viewerId === null && (
          <SignUpToFollow
            account={author}
            className="btn mt-3 max-w-full border-line btn-outline"
          />
        )}
        {children}
      </div>
    </article>
  );
}
