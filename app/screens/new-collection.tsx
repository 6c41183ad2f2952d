import * as words from "#messages/collections.json";
import { collectionPath, collectionsPath } from "#app/features/collections/collection-paths.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TitledForm } from "#app/ui/titled-form.tsx";
import type { Route } from "./+types/new-collection";

export function loader({ context }: Route.LoaderArgs) {
  memberPage(context);
  return { clientKey: crypto.randomUUID() };
}

export const action = formAction({
  [unnamed]: form(({ collections }) => collections.create, {
    restores: ["title"],
    to: (_, { id }) => collectionPath(id),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function NewCollection({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <BackLink to={collectionsPath}>{words.collections}</BackLink>
      <ScreenTitle>{words.newCollection}</ScreenTitle>
      <TitledForm
        returned={actionData}
        pathname={`${collectionsPath}/new`}
        back={collectionsPath}
        save={words.createCollection}
      >
        <input type="hidden" name="clientKey" value={loaderData.clientKey} />
      </TitledForm>
    </>
  );
}
