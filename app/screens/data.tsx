import { redirect, useNavigation } from "react-router";
import * as words from "#messages/data.json";
import { ExportSection } from "#app/features/archive/export-section.tsx";
import { importInLanguage } from "#app/features/archive/import-in-language.server.ts";
import { ImportSection } from "#app/features/archive/import-section.tsx";
import { SettingsRow } from "#app/features/settings/settings-rows.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { orTyped } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { TrashIcon } from "#app/ui/icons.ts";
import type { Route } from "./+types/data";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [asksPassword, fresh, exports, hasMessages, latest, undoable] = await Promise.all([
    features.identity.confirmation.asksPassword(member),
    features.identity.confirmation.isFresh(member),
    features.exports.list(member),
    features.importedConversations.some(member),
    features.imports.latest(member),
    features.imports.undoable(member),
  ]);
  return {
    asksPassword: asksPassword && !fresh,
    exports,
    mailLeaves: features.verification.mailLeaves,
    imports: { latest: importInLanguage(latest), undoable, hasMessages },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { member, features, readForm } = memberPage(context);
  return orTyped({ form: "export", fields: {} }, [], async () => {
    const { password = "" } = (await readForm(request)).fields;
    await features.exports.start(member, { password });
    return redirect("/settings/data");
  });
}

export default function Data({ loaderData, actionData }: Route.ComponentProps) {
  const { asksPassword, exports, mailLeaves, imports } = loaderData;
  const pending = useNavigation().formData !== undefined;
  return (
    <>
      <SettingsTitle>{words.yourData}</SettingsTitle>
      <div className="grid gap-4 pb-8">
        <ExportSection
          exports={exports}
          asksPassword={asksPassword}
          pending={pending}
          mailLeaves={mailLeaves}
          problem={actionData?.problem}
        />
        <ImportSection {...imports} />
        <ul className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
          <SettingsRow to="/settings/delete" icon={TrashIcon} label={words.deleteAccount} danger />
        </ul>
      </div>
    </>
  );
}
