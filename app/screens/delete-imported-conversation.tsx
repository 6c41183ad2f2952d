import { redirect } from "react-router";
import * as words from "#messages/data.json";
import { memberPage } from "#app/lib/refusals.server.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/delete-imported-conversation";

/** The page of "Delete this copy": it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { other } = await features.importedConversations.conversation(member, params.id);
  return { name: other?.name ?? null, back: `/settings/data/messages/${params.id}` };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { member, features } = memberPage(context);
  await features.importedConversations.remove(member, params.id);
  throw redirect("/settings/data/messages");
}

export default function DeleteImportedConversation({
  loaderData: { name, back },
}: Route.ComponentProps) {
  const question = name
    ? rich(words.deleteCopyOf, { name: <bdi>{name}</bdi> })
    : words.deleteCopyQuestion;
  return (
    <ConfirmPage question={question} back={back}>
      {words.copyPhotosToo}
    </ConfirmPage>
  );
}
