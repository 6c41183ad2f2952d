import * as words from "#messages/albums.json";
import { AlbumForm, albumFields } from "#app/features/albums/album-form.tsx";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/new-album";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { isPrivate } = await features.posts.nextAudience(member);
  return { isPrivate, clientKey: crypto.randomUUID() };
}

export const action = formAction({
  [unnamed]: form(({ albums }) => albums.create, {
    restores: albumFields,
    to: (_, album) => albumPath(album.id),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function NewAlbum({ loaderData, actionData }: Route.ComponentProps) {
  const { isPrivate, clientKey } = loaderData;
  return (
    <>
      <ScreenTitle>{words.newAlbum}</ScreenTitle>
      <AlbumForm
        album={{}}
        isPrivate={isPrivate}
        returned={actionData}
        pathname="/album/new"
        back="/profile?tab=albums"
        save={words.createAlbum}
      >
        <input type="hidden" name="clientKey" value={clientKey} />
      </AlbumForm>
    </>
  );
}
