import { useState } from "react";
import { guestPath, type GuestPost } from "#shared/shared-links.ts";
import type { AlbumOrder } from "#shared/albums.ts";
import type { Page } from "#shared/views.ts";
import { PhotoRows, photoName, RowPhoto } from "#app/features/albums/album-grid.tsx";
import { SlideShowButton } from "#app/features/albums/slide-show-button.tsx";
import { veilText } from "#app/features/posts/veiled.tsx";
import { getJson } from "#app/lib/api-client.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";

/** Query parameter of the page of an album: the photo that is shown alone. */
export const photoParameter = "photo";

export const guestPhotoPath = (linkId: string, postId: string) =>
  `${guestPath(linkId)}?${photoParameter}=${postId}`;

const withPicture = (post: GuestPost) => ({ ...post, picture: post.pictures[0] ?? null });

type Props = { linkId: string; items: GuestPost[]; order: AlbumOrder };

/** The photos of an album, for guests: each leads to itself, large. */
export const GuestRows = ({ linkId, items, order }: Props) => (
  <PhotoRows
    photos={items.map(withPicture)}
    order={order}
    tile={({ id, picture, sensitive, warning, caption }, first) =>
      picture && (
        <a href={guestPhotoPath(linkId, id)} className="relative block size-full overflow-hidden">
          {sensitive ? (
            <span
              dir="auto"
              className="grid size-full place-items-center border border-line bg-base-200 p-2 text-center text-sm text-pretty wrap-anywhere"
            >
              {firstGraphemes(veilText(warning), 160)}
            </span>
          ) : (
            <RowPhoto photo={picture} alt={photoName({ picture, caption })} priority={first} />
          )}
        </a>
      )
    }
  />
);

/** The show reads further pages as it goes. */
export function GuestSlideShow({ linkId, first }: { linkId: string; first: Page<GuestPost> }) {
  const [list, setList] = useState(first);

  async function loadMore(): Promise<void> {
    const { nextCursor } = list;
    if (nextCursor === null) return;
    const path = `${guestPath(linkId)}/page.json?cursor=${encodeURIComponent(nextCursor)}`;
    const page = await getJson<Page<GuestPost>>(path).catch(lookAgain);
    if (!page) return;
    setList((known) =>
      known.nextCursor === nextCursor
        ? { items: [...known.items, ...page.items], nextCursor: page.nextCursor }
        : known,
    );
  }

  return (
    <SlideShowButton
      className="max-md:grow"
      list={{ items: list.items.map(withPicture), loadMore }}
      onBroken={() => void lookAgain()}
    />
  );
}

/**
 * Something did not come: the link may have ended, or show less by now. Its page says which; without a connection
 * there would be none, so what is on the screen stays.
 */
async function lookAgain(): Promise<null> {
  const reached = await fetch(window.location.href, { method: "HEAD" }).catch(() => null);
  if (reached) window.location.reload();
  return null;
}
