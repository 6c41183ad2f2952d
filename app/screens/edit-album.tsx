import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import { AlbumForm, albumFields } from "#app/features/albums/album-form.tsx";
import { albumAt, albumPath } from "#app/features/albums/album-paths.ts";
import { ownAlbum } from "#app/features/albums/own-album.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/edit-album";

export const loader = async ({ params, context }: Route.LoaderArgs) => ({
  album: await ownAlbum(context, params.id),
});

export const action = formAction({
  [unnamed]: form(({ albums }) => albums.edit, {
    restores: albumFields,
    to: ({ params }) => albumAt(params),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function EditAlbum({ loaderData: { album }, actionData }: Route.ComponentProps) {
  const path = albumPath(album.id);
  return (
    <>
      <BackLink to={path}>{words.album}</BackLink>
      <ScreenTitle>{words.editAlbum}</ScreenTitle>
      <AlbumForm
        album={album}
        isPrivate={album.private}
        returned={actionData}
        pathname={albumPath(album.id, "edit")}
        back={path}
        save={common.save}
      />
      <p className="px-4 pb-8 md:px-0 md:pt-4">
        <ButtonLink to={albumPath(album.id, "delete")} look="danger" className="-ms-4">
          {words.deleteAlbum}
        </ButtonLink>
      </p>
    </>
  );
}
