import * as words from "#messages/collections.json";
import { save } from "#messages/common.json";
import { collectionPath } from "#app/features/collections/collection-paths.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TitledForm } from "#app/ui/titled-form.tsx";
import type { Route } from "./+types/edit-collection";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { id, title } = await features.collections.get(member, params.id);
  return { id, title };
}

export const action = formAction({
  [unnamed]: form(({ collections }) => collections.edit, {
    restores: ["title"],
    to: ({ params }) => collectionPath(params["id"] ?? ""),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function EditCollection({ loaderData, actionData }: Route.ComponentProps) {
  const { id, title } = loaderData;
  return (
    <>
      <BackLink to={collectionPath(id)}>{words.collection}</BackLink>
      <ScreenTitle>{words.editCollection}</ScreenTitle>
      <TitledForm
        title={title}
        returned={actionData}
        pathname={collectionPath(id, "edit")}
        back={collectionPath(id)}
        save={save}
      />
      <p className="px-4 pb-8 md:px-0 md:pt-4">
        <ButtonLink to={collectionPath(id, "delete")} look="danger" className="-ms-4">
          {words.deleteCollection}
        </ButtonLink>
      </p>
    </>
  );
}
