import { Form } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { ownAlbum } from "#app/features/albums/own-album.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Choices } from "#app/ui/choices.tsx";
import type { Route } from "./+types/delete-album";

export const loader = async ({ params, context }: Route.LoaderArgs) => ({
  album: await ownAlbum(context, params.id),
});

export const action = formAction({
  [unnamed]: form(({ albums }) => albums.remove, { to: "/profile?tab=albums" }),
});

export default function DeleteAlbum({ loaderData: { album } }: Route.ComponentProps) {
  return (
    <div className="mx-auto grid max-w-md gap-5 px-4 py-12">
      <title>{documentTitle(words.deleteAlbum)}</title>
      <h1 className="text-xl font-semibold wrap-anywhere">
        {rich(words.deleteTitle, { title: <bdi>{album.title}</bdi> })}
      </h1>
      <p className="text-pretty text-muted">{words.deletingTakes}</p>
      <Form method="post" className="grid gap-5">
        <Choices
          name="photos"
          legend={words.photosAddedToIt}
          defaultValue="keep"
          choices={[
            ["keep", words.keepThem, words.keepThemHint],
            ["delete", words.deleteMine, words.deleteMineHint],
          ]}
        />
        <div className="flex gap-3">
          <Button type="submit" look="delete">
            {common.delete}
          </Button>
          <ButtonLink to={albumPath(album.id)}>{common.cancel}</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
