import { Form } from "react-router";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { ownAlbum } from "#app/features/albums/own-album.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
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
      <title>{documentTitle("Delete album")}</title>
      <h1 className="text-xl font-semibold wrap-anywhere">
        Delete “<bdi>{album.title}</bdi>”?
      </h1>
      <p className="text-pretty text-muted">
        The album goes for everyone in it. Posts that were put into it stay where they are.
      </p>
      <Form method="post" className="grid gap-5">
        <Choices
          name="photos"
          legend="Photos that were added to it"
          defaultValue="keep"
          choices={[
            ["keep", "Keep them", "Each becomes a post that only the person who added it can see."],
            ["delete", "Delete mine", "With their likes and comments. Those of others are kept."],
          ]}
        />
        <div className="flex gap-3">
          <Button type="submit" look="delete">
            Delete
          </Button>
          <ButtonLink to={albumPath(album.id)}>Cancel</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
