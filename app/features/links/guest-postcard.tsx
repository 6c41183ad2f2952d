import * as common from "#messages/common.json";
import * as words from "#messages/links.json";
import { guestPath, type GuestLink, type GuestPost } from "#shared/shared-links.ts";
import type { AccountSummary, ImageView } from "#shared/views.ts";
import { guestPhotoPath } from "#app/features/links/guest-album.tsx";
import { LinkedText } from "#app/features/posts/linked-text.tsx";
import { PostPhoto } from "#app/features/posts/post-photo.tsx";
import { Postmark } from "#app/features/posts/postmark.tsx";
import { shownParameter, veilText } from "#app/features/posts/veiled.tsx";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

type Props = {
  link: GuestLink;
  maker: AccountSummary;
  post: GuestPost;
  /** the first of the page */
  first: boolean;
  /** the guest read its warning and wants to see it */
  asked: boolean;
};

/** A post for guests: its photos below one another, each as large as the window allows, and the words as on paper. */
export function GuestPostcard({ link, maker, post, first, asked }: Props) {
  const { caption, language, createdAt, likeCount, pictures, sensitive, warning, id } = post;
  const veiled = sensitive && !asked;
  // In an album it may be somebody else's, whom nothing names.
  const called = link.album ? words.photoNumber : words.photoNumberBy;
  const here = link.album ? guestPhotoPath(link.id, id) : `${guestPath(link.id)}?`;
  return (
    <article className="overflow-hidden border-y border-line bg-base-100 md:rounded-box md:border md:shadow-card">
      {veiled ? (
        <div className="grid justify-items-center gap-4 px-6 py-16 text-center">
          <p dir="auto" className="wrap-anywhere">
            {veilText(warning)}
          </p>
          <a href={`${here}&${shownParameter}=${id}`} className="btn border-line btn-outline">
            {common.show}
          </a>
        </div>
      ) : (
        pictures.map((photo, index) => (
          <GuestPhoto
            key={photo.key}
            photo={photo}
            link={link}
            alt={fill(called, { number: index + 1, name: maker.name })}
            priority={first && index === 0}
          />
        ))
      )}
      <div className="grid gap-2 p-4 sm:p-6">
        {!(veiled && warning !== null) && caption && (
          <p
            dir="auto"
            lang={language ?? undefined}
            className={`whitespace-pre-wrap wrap-anywhere ${pictures.length > 0 ? "" : "font-wordmark text-2xl/snug"}`}
          >
            <LinkedText text={caption} mentions={[]} />
          </p>
        )}
        <div className="flex items-center justify-between gap-4">
          <p className="text-sm text-muted">
            <PostTime at={createdAt} />
            {likeCount > 0 && ` · ${counted(words.likes, likeCount)}`}
          </p>
          <Postmark at={createdAt} className="w-14 shrink-0" />
        </div>
      </div>
    </article>
  );
}

type PhotoProps = { photo: ImageView; link: GuestLink; alt: string; priority: boolean };

function GuestPhoto({ photo, link, alt, priority }: PhotoProps) {
  const key = photo.key.split("/").at(-1) ?? "";
  return (
    <figure className="border-b border-line">
      <PostPhoto photo={photo} alt={alt} priority={priority} large wrap={(drawn) => drawn} />
      {link.downloads && (
        <figcaption className="px-4 py-1 text-end no-print">
          <a
            href={`${guestPath(link.id)}/save/${key}`}
            className="link inline-flex min-h-11 items-center text-sm"
            download
          >
            {rich(words.download, { photo: <span className="sr-only">{photo.alt || alt}</span> })}
          </a>
        </figcaption>
      )}
    </figure>
  );
}
