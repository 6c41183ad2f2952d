import { redirect } from "react-router";
import { found } from "#shared/errors.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/undo-import";

/** The page of "Undo": it says first what goes with an import. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return found(await features.imports.questionBeforeUndo(member, params.id));
}

export async function action({ params, context }: Route.ActionArgs) {
  const { member, features } = memberPage(context);
  await features.imports.undo(member, params.id);
  throw redirect("/settings/data");
}

export default function UndoImport({
  loaderData: { kind, posts, commented },
}: Route.ComponentProps) {
  const many = `${posts} ${posts === 1 ? "post" : "posts"}`;
  return (
    <ConfirmPage question={`Delete the ${many} of this import?`} back="/settings/data">
      {commented === 0
        ? "None of them has comments of others. "
        : `Comments of others are on ${commented} of them, and go with them. `}
      You can import them again if you still have the file from {kindNames[kind]}.
    </ConfirmPage>
  );
}
