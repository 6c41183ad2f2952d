import { Form } from "react-router";
import * as words from "#messages/albums.json";
import { albumPath, mayAdd } from "#app/features/albums/album-paths.ts";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/put-into-album";

/** Into which of one's albums a post goes. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [post, { items, nextCursor }] = await Promise.all([
    findOwnPost(features, member, params),
    features.albums.mine(member, url.searchParams.get("cursor")),
  ]);
  return {
    path: pathOfPost(post),
    albums: items.filter(({ role }) => mayAdd(role)).map(({ id, title }) => ({ id, title })),
    nextCursor,
  };
}

export const action = formAction({
  [unnamed]: form(({ albums }) => albums.put, {
    to: ({ fields }) => albumPath(fields["id"] ?? ""),
    restores: ["id"],
  }),
});

export default function PutIntoAlbum({ loaderData, actionData }: Route.ComponentProps) {
  const { path, albums, nextCursor } = loaderData;
  return (
    <>
      <BackLink to={path}>{words.post}</BackLink>
      <ScreenTitle>{words.putIntoAlbum}</ScreenTitle>
      {albums.length > 0 ? (
        <Form method="post" className="grid gap-5 px-4 pb-8 md:px-0">
          <p className="text-pretty text-muted">{words.postStaysForWhom}</p>
          <Choices
            name="id"
            legend={words.album}
            required
            defaultValue={actionData?.typed.id ?? albums[0]?.id}
            choices={albums.map(({ id, title }) => [id, title] as const)}
            error={actionData?.problem.message}
          />
          <div className="flex flex-wrap gap-3">
            <Submit>{words.putIn}</Submit>
            <OlderLink cursor={nextCursor}>{words.moreAlbums}</OlderLink>
          </div>
        </Form>
      ) : (
        <EmptyState
          drawing="card"
          title={nextCursor === null ? words.noAlbumsYet : words.noneOfThese}
          action={
            nextCursor === null ? (
              <ButtonLink to="/album/new" look="primary">
                {words.newAlbum}
              </ButtonLink>
            ) : (
              <OlderLink cursor={nextCursor}>{words.moreAlbums}</OlderLink>
            )
          }
        />
      )}
    </>
  );
}
