import { useEffect, useState } from "react";
import { factsOf, type PhotoFacts as Facts, type PostDetails } from "#shared/photo-details.ts";
import type { ImageView, PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { LikeButton, type Like } from "#app/features/likes/like-button.tsx";
import { AudienceMark, markOf } from "#app/features/posts/audience/audience-mark.tsx";
import { ExpandableText } from "#app/features/posts/expandable-text.tsx";
import { PhotoFacts } from "#app/features/posts/photo-facts.tsx";
import { getJson } from "#app/lib/api-client.ts";
import { pathOfPost } from "#app/lib/text/links.ts";

/** The post of the photos; its like is the same one as on the page below. */
export type ShownPost = { post: PostView; like: Like; signedIn: boolean };

type Props = { photo: ImageView; of: ShownPost | undefined; photoFacts: readonly Facts[] };

/** Caption, alt text, camera and like below a photo; hidden while it is zoomed. */
export function Details({ photo, of, photoFacts }: Props) {
  return (
    <div className="relative max-h-[30dvh] overflow-y-auto bg-black px-4 py-2 [--color-base-100:black] [--color-base-content:white] [--muted:white] peer-has-data-zoomed:invisible in-data-bare:hidden">
      <div className="mx-auto flex max-w-column items-start gap-3">
        <div className="min-w-0 flex-1 grid gap-1.5 py-2.5 [&_a]:text-inherit [&_a]:underline">
          {of?.post.caption && (
            <ExpandableText
              text={of.post.caption}
              language={of.post.language}
              mentions={of.post.mentions}
              to={pathOfPost(of.post)}
              more={words.moreOfCaption}
              lines="max-h-[2lh] overflow-hidden"
              long={false}
              overlaid
            />
          )}
          {photo.alt && (
            <p dir="auto" className="text-sm whitespace-pre-wrap text-white/75 wrap-anywhere">
              <span className="me-2 rounded bg-white/15 px-1.5 py-0.5 text-xs font-semibold tracking-wide text-white">
                {words.alt}
              </span>
              <span>{photo.alt}</span>
            </p>
          )}
          {of && markOf(of.post) && (
            <p className="flex items-center gap-1.5 text-sm text-white/75">
              <AudienceMark of={of.post} />
              <span aria-hidden="true">{markOf(of.post)?.label}</span>
            </p>
          )}
          {of?.signedIn && !of.post.mine && !photo.alt && (
            <a
              href={`${pathOfPost(of.post)}/describe`}
              className="inline-flex min-h-11 items-center text-sm"
            >
              {words.suggestDescription}
            </a>
          )}
        </div>
        {of && (
          <div className="shrink-0 [&_button:hover]:bg-white/20 [&_button:hover]:text-white">
            <LikeButton {...of} />
          </div>
        )}
      </div>
      <div className="mx-auto max-w-column [&_a]:text-inherit">
        <PhotoFacts photos={[photo]} photoFacts={photoFacts} />
      </div>
    </div>
  );
}

/** What its author shows of how and where the photos were taken: read when the lightbox opens. */
export function usePhotoFacts(of: ShownPost | undefined): readonly Facts[] {
  const [photoFacts, setPhotoFacts] = useState<readonly Facts[]>([]);
  const path =
    of?.post.detailed && `/api${pathOfPost(of.post).replace("/post/", "/posts/")}/details`;
  useEffect(() => {
    if (!path) return;
    let current = true;
    getJson<PostDetails>(path).then(
      (details) => current && setPhotoFacts(factsOf(details)),
      // Failing is no problem: the photo is what matters.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [path]);
  return photoFacts;
}
