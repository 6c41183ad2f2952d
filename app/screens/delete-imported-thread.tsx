import { redirect } from "react-router";
import { memberPage } from "#app/lib/refusals.server.ts";
import { AskPage } from "#app/ui/ask-page.tsx";
import type { Route } from "./+types/delete-imported-thread.ts";

/** Where "Delete this copy" leads: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { other } = await features.importedThreads.thread(member, params.id);
  return { name: other?.name ?? null, back: `/settings/data/messages/${params.id}` };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { member, features } = memberPage(context);
  await features.importedThreads.remove(member, params.id);
  throw redirect("/settings/data/messages");
}

export default function DeleteImportedThread({ loaderData: { name, back } }: Route.ComponentProps) {
  const question = (
    <>
      Delete this copy{name ? " of your messages with " : ""}
      <bdi>{name}</bdi>?
    </>
  );
  return (
    <AskPage question={question} back={back}>
      Its photos will be deleted, too. You can import it again if you still have the archive.
    </AskPage>
  );
}
