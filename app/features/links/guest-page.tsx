import { guestPath, type GuestLink, type GuestPost } from "#shared/shared-links.ts";
import type { AccountSummary, Page } from "#shared/views.ts";
import { GuestPostcard } from "#app/features/links/guest-postcard.tsx";
import { GuestReport, type ReturnedReport } from "#app/features/links/guest-report.tsx";
import { kindWords } from "#app/features/links/kinds.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

type GuestShown = {
  link: GuestLink;
  maker: AccountSummary;
  bio: string;
  posts: Page<GuestPost>;
  /** a post whose warning the guest has read and wants to see, without scripts */
  unveiled: string | null;
};

type Props = GuestShown & { report: ReturnedReport };

/** What somebody without an account sees: large photos, the maker's words, and nobody else's. */
export function GuestPage({ link, maker, bio, posts, unveiled, report }: Props) {
  const { items, nextCursor } = posts;
  const timeZone = useTimeZone();
  const path = guestPath(link.id);
  const photos = items.some(({ pictures }) => pictures.length > 0);
  return (
    <div data-desk="" className="mx-auto grid max-w-[56rem] gap-8 pb-10 lg:p-6">
      <header className="grid grid-cols-[auto_1fr] items-center gap-4 px-4 pt-6 md:grid-cols-[auto_1fr_auto] md:px-0">
        <Avatar name={maker.name} image={maker.avatar} size="xl" priority />
        <div className="min-w-0">
          <h1 className="font-wordmark text-3xl text-balance wrap-anywhere">
            {kindWords[link.kind].guests} <bdi>{maker.name}</bdi>
          </h1>
          <p className="mt-1 text-sm text-muted">
            {link.expiresAt === null
              ? "You can look as often as you like."
              : `You can look until ${formatDate(link.expiresAt, timeZone)}.`}
          </p>
        </div>
        {link.downloads && photos && (
          <a
            href={`${path}/photos.zip`}
            className="btn border-line btn-outline no-print max-md:col-span-full"
            download
          >
            Download all photos
          </a>
        )}
        {bio && link.kind === "profile" && (
          <p dir="auto" className="col-span-full whitespace-pre-wrap wrap-anywhere">
            {bio}
          </p>
        )}
      </header>
      {items.length === 0 ? (
        <EmptyState drawing="mailbox" title="Nothing here at the moment" />
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
          href={`${path}?cursor=${encodeURIComponent(nextCursor)}`}
          className="btn justify-self-center border-line btn-outline"
        >
          Older posts
        </a>
      )}
      <GuestReport {...{ link, items, report, timeZone }} />
    </div>
  );
}
