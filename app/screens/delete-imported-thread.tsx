import { Form, redirect } from "react-router";
import { appContext } from "#app/lib/context.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/delete-imported-thread.ts";

/** Where "Delete this copy" leads: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { other } = await orRefusalPage(features.importedThreads.thread(member, params.id));
  return { name: other?.name ?? null, back: `/settings/data/messages/${params.id}` };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  await orRefusalPage(features.importedThreads.remove(member, params.id));
  throw redirect("/settings/data/messages");
}

export default function DeleteImportedThread({ loaderData: { name, back } }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>Delete · Postcard</title>
      <h1 className="text-xl font-semibold wrap-anywhere">
        Delete this copy{name ? " of your messages with " : ""}
        <bdi>{name}</bdi>?
      </h1>
      <p className="text-muted">
        It goes from here with its photos. Your archive, if you kept it, can bring it back.
      </p>
      <Form method="post" className="flex gap-3">
        <Button type="submit" look="delete">
          OK
        </Button>
        <ButtonLink to={back}>Cancel</ButtonLink>
      </Form>
    </div>
  );
}
