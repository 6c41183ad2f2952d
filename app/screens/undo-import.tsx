import { redirect } from "react-router";
import * as words from "#messages/data.json";
import { found } from "#shared/errors.ts";
import { kindNames } from "#app/features/archive/kind-names.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
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
  return (
    <ConfirmPage question={counted(words.undoQuestion, posts)} back="/settings/data">
      {commented === 0 ? words.noneCommented : counted(words.commented, commented)}{" "}
      {fill(words.importAgain, { service: kindNames[kind] })}
    </ConfirmPage>
  );
}
