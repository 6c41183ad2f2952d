import * as words from "#messages/links.json";
import { guestPath, type GuestLink, type GuestPost } from "#shared/shared-links.ts";
import type { AccountSummary, Page } from "#shared/views.ts";
import { guestPhotoPath, GuestRows, GuestSlideShow } from "#app/features/links/guest-album.tsx";
import { GuestHeader } from "#app/features/links/guest-header.tsx";
import { GuestPostcard } from "#app/features/links/guest-postcard.tsx";
import { GuestReport, type ReturnedReport } from "#app/features/links/guest-report.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";

type GuestShown = {
  link: GuestLink;
  maker: AccountSummary;
  bio: string;
  posts: Page<GuestPost>;
  /** one of an album alone, and the id of the one after it */
  alone: { next: string | null } | null;
  /** a post whose warning the guest has read and wants to see, without scripts */
  unveiled: string | null;
};

type Props = GuestShown & { report: ReturnedReport };

/** What somebody without an account sees: large photos, the maker's words, and no other member's name. */
export function GuestPage({ report, ...shown }: Props) {
  const { link, maker, bio, posts, alone } = shown;
  const { items } = posts;
  const timeZone = useTimeZone();
  const width = link.album && !alone ? "max-w-[1183px]" : "max-w-[56rem]";
  return (
    <div data-desk="" className={`mx-auto grid gap-8 pb-10 lg:p-6 ${width}`}>
      {alone ? (
        <Steps link={link} next={alone.next} />
      ) : (
        <GuestHeader {...{ link, maker, bio }} photos={hasPhotos(items)}>
          {link.album && <GuestSlideShow linkId={link.id} first={posts} />}
        </GuestHeader>
      )}
      <Posts {...shown} />
      <GuestReport
        {...{ link, items, report, timeZone }}
        about={alone ? items[0]?.id : undefined}
      />
    </div>
  );
}

const hasPhotos = (items: GuestPost[]) => items.some(({ pictures }) => pictures.length > 0);

function Posts({ link, maker, posts, alone, unveiled }: GuestShown) {
  const { items, nextCursor } = posts;
  if (items.length === 0) {
    return <EmptyState drawing="mailbox" title={words.nothingHere} />;
  }
  return (
    <>
      {link.album && !alone ? (
        <div>
          <GuestRows linkId={link.id} items={items} order={link.album.order} />
        </div>
      ) : (
        items.map((post, index) => (
          <GuestPostcard
            key={post.id}
            {...{ link, maker, post }}
            first={index === 0}
            asked={unveiled === post.id}
          />
        ))
      )}
      {nextCursor !== null && (
        <a
          href={`${guestPath(link.id)}?cursor=${encodeURIComponent(nextCursor)}`}
          className="btn justify-self-center border-line btn-outline"
        >
          {link.album ? words.morePhotos : words.olderPosts}
        </a>
      )}
    </>
  );
}

/** From one photo of an album back to all, and on to the next. */
const Steps = ({ link, next }: { link: GuestLink; next: string | null }) => (
  <header className="grid gap-3 px-4 pt-6 md:px-0">
    <h1 dir="auto" className="font-wordmark text-2xl text-balance wrap-anywhere">
      {link.album?.title}
    </h1>
    <nav aria-label={words.photos} className="flex flex-wrap justify-between gap-2">
      <a href={guestPath(link.id)} className="btn border-line btn-outline">
        {words.allPhotos}
      </a>
      {next !== null && (
        <a href={guestPhotoPath(link.id, next)} className="btn border-line btn-outline">
          {words.nextPhoto}
        </a>
      )}
    </nav>
  </header>
);
