import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import type { AlbumView } from "#shared/views.ts";
import { AlbumAudienceMark } from "#app/features/albums/album-audience.tsx";
import { albumPath, mayAdd } from "#app/features/albums/album-paths.ts";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { profilePath } from "#app/lib/text/links.ts";
import { counted, formOf, rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = { album: AlbumView; viewerId: string | null; slideShow: React.ReactNode };

/** Title, whose it is and for whom, its words, and what the viewer may do with it. */
export function AlbumHeader({ album, viewerId, slideShow }: Props) {
  const { id, title, owner, contributors, description, photoCount, role, memberCount } = album;
  return (
    <header className="grid grid-cols-1 gap-4 px-4 pt-6 pb-5 md:px-0">
      <title>{documentTitle(title)}</title>
      <h1
        dir="auto"
        className="at-page-start max-w-full justify-self-start font-wordmark text-3xl text-balance wrap-anywhere md:text-4xl"
      >
        {title}
      </h1>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        <Link
          to={profilePath(owner, viewerId)}
          className="group flex min-h-11 min-w-0 items-center gap-2 max-sm:basis-full"
        >
          <Faces people={[owner, ...contributors]} />
          <span className="min-w-0 font-medium text-base-content wrap-anywhere group-hover:underline">
            <Whose owner={owner} others={contributors.length} />
          </span>
        </Link>
        <span>{counted(words.photos, photoCount)}</span>
        <AlbumAudienceMark of={album} />
        {memberCount !== null && (
          <Link to={albumPath(id, "members")} className="link py-2.5">
            {counted(words.memberCount, memberCount + 1)}
          </Link>
        )}
      </div>
      {description && (
        <p dir="auto" className="max-w-column text-pretty whitespace-pre-wrap wrap-anywhere">
          {description}
        </p>
      )}
      <div className="flex flex-wrap gap-2 no-print">
        {mayAdd(role) && (
          <ButtonLink to={albumPath(id, "add")} look="primary">
            {words.addPhotos}
          </ButtonLink>
        )}
        {slideShow}
        {mayAdd(role) && photoCount > 0 && (
          <ButtonLink to={albumPath(id, "arrange")}>{words.arrange}</ButtonLink>
        )}
        {role === "owner" && (
          <>
            <ButtonLink to={albumPath(id, "edit")}>{common.edit}</ButtonLink>
            <ButtonLink to={albumPath(id, "link")}>{words.shareALink}</ButtonLink>
          </>
        )}
        {viewerId !== null && role !== "owner" && (
          <HideButton account={owner} theirPage reported={{ kind: "album", albumId: id }} />
        )}
      </div>
    </header>
  );
}

function Whose({ owner, others }: { owner: AlbumView["owner"]; others: number }) {
  const name = <bdi>{owner.name}</bdi>;
  if (others === 0) return name;
  return rich(formOf(words.ownerAndOthers, others), { name, count: wholeCount(others) });
}

/** Of four at most, one over the other. */
const Faces = ({ people }: { people: AlbumView["contributors"] }) => (
  <span className="flex shrink-0 -space-x-3">
    {people.slice(0, 4).map(({ id, name, avatar }) => (
      <span key={id} className="rounded-full ring-2 ring-base-100">
        <Avatar name={name} image={avatar} />
      </span>
    ))}
  </span>
);
