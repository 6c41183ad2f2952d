import * as words from "#messages/albums.json";
import { ArrangePhotos } from "#app/features/albums/arrange-photos.tsx";
import { albumAt, albumPath } from "#app/features/albums/album-paths.ts";
import { albumToAdd } from "#app/features/albums/own-album.server.ts";
import { form, formAction, type Submission } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/arrange-album";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const album = await albumToAdd(context, params.id);
  const cursor = url.searchParams.get("cursor");
  return {
    album,
    first: await features.albums.photos(member, params.id, cursor),
  };
}

const back = ({ params, query }: Submission) => `${albumAt(params)}/arrange?${query}`;

export const action = formAction({
  move: form(({ albums }) => albums.move, {
    send: ({ fields: { item = "", after = "" } }) => ({ body: { item, after: after || null } }),
    to: back,
  }),
  cover: form(({ albums }) => albums.cover, {
    send: ({ fields: { item = "" } }) => ({ body: { item } }),
    shows: () => ({ done: words.coverChanged }),
  }),
  "take-out": form(({ albums }) => albums.takeOut, { to: back }),
});

export default function ArrangeAlbum({ loaderData, actionData }: Route.ComponentProps) {
  const { album, first } = loaderData;
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <BackLink to={albumPath(album.id)}>{words.album}</BackLink>
      <ScreenTitle>{words.arrangePhotos}</ScreenTitle>
      <p role="status" className="px-4 pb-4 font-medium empty:hidden md:px-0">
        {actionData && "done" in actionData ? actionData.done : null}
      </p>
      <ArrangePhotos key={album.order} album={album} first={first} />
    </div>
  );
}
