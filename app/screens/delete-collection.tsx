import * as words from "#messages/collections.json";
import { collectionPath, collectionsPath } from "#app/features/collections/collection-paths.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/delete-collection";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { id, title } = await features.collections.get(member, params.id);
  return { id, title };
}

export const action = formAction({
  [unnamed]: form(({ collections }) => collections.remove, { to: collectionsPath }),
});

export default function DeleteCollection({ loaderData: { id, title } }: Route.ComponentProps) {
  const question = rich(words.deleteQuestion, { title: <bdi>{title}</bdi> });
  return (
    <ConfirmPage question={question} back={collectionPath(id)}>
      {words.postsStaySaved}
    </ConfirmPage>
  );
}
