import * as words from "#messages/collections.json";
import { saved } from "#messages/shell.json";
import { Print, tilesClass } from "#app/features/albums/album-tiles.tsx";
import { collectionPath, collectionsPath } from "#app/features/collections/collection-paths.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/collections";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { collections: await features.collections.list(member) };
}

const New = ({ look }: { look: "primary" | "outline" }) => (
  <ButtonLink to={`${collectionsPath}/new`} look={look}>
    {words.newCollection}
  </ButtonLink>
);

/** A member's collections of what they saved. */
export default function Collections({ loaderData: { collections } }: Route.ComponentProps) {
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <BackLink to="/saved">{saved}</BackLink>
      <ScreenTitle>{words.collections}</ScreenTitle>
      {collections.length === 0 ? (
        <EmptyState drawing="box" title={words.noCollections} action={<New look="primary" />}>
          <p>{words.noCollectionsText}</p>
        </EmptyState>
      ) : (
        <>
          <p className="px-4 md:px-0">
            <New look="outline" />
          </p>
          <ul className={tilesClass}>
            {collections.map(({ id, title, cover }) => (
              <li key={id} className="min-w-0">
                <Link to={collectionPath(id)} className="group grid grid-cols-1 gap-2">
                  <Print photo={cover} />
                  <span
                    dir="auto"
                    className="at-page-start block min-w-0 font-semibold wrap-break-word group-hover:underline"
                  >
                    {title}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
