import type { ReactNode } from "react";
import * as words from "#messages/links.json";
import { guestPath, type GuestLink } from "#shared/shared-links.ts";
import type { AccountSummary } from "#shared/views.ts";
import { kindWords } from "#app/features/links/kinds.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Avatar } from "#app/ui/avatar.tsx";

type Props = {
  link: GuestLink;
  maker: AccountSummary;
  bio: string;
  /** whether there is anything to download */
  photos: boolean;
  children?: ReactNode;
};

/** Whose it is, until when one can look, and in whose words. */
export function GuestHeader({ link, maker, bio, photos, children }: Props) {
  const { kind, album, expiresAt, downloads } = link;
  const timeZone = useTimeZone();
  const name = <bdi>{maker.name}</bdi>;
  const about = album ? album.description : kind === "profile" ? bio : "";
  const date = expiresAt === null ? "" : formatDate(expiresAt, timeZone);
  return (
    <header className="grid grid-cols-[auto_1fr] items-center gap-4 px-4 pt-6 max-[22.4rem]:grid-cols-1 md:grid-cols-[auto_1fr_auto] md:px-0">
      <Avatar name={maker.name} image={maker.avatar} size="xl" priority />
      <div className="min-w-0">
        <h1 dir="auto" className="at-page-start font-wordmark text-3xl text-balance wrap-anywhere">
          {album ? album.title : rich(kindWords[kind].guests, { name })}
        </h1>
        <p className="mt-1 text-sm text-balance text-muted">
          {album
            ? rich(date ? words.photosFromUntil : words.photosFromOften, { name, date })
            : fill(date ? words.lookUntil : words.lookOften, { date })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 no-print empty:hidden max-md:col-span-full">
        {children}
        {/* Not as a download, which would fail without a word where the link has ended. */}
        {downloads && photos && (
          <a
            href={`${guestPath(link.id)}/photos.zip`}
            className="btn border-line btn-outline max-md:grow"
          >
            {words.downloadAll}
          </a>
        )}
      </div>
      {about && (
        <p
          dir="auto"
          className="col-span-full max-w-column text-pretty whitespace-pre-wrap wrap-anywhere"
        >
          {about}
        </p>
      )}
    </header>
  );
}
