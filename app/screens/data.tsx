import { data, redirect, useNavigation } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { archiveBounds } from "#app/features/archive/archive-bounds.server.ts";
import { ExportSection } from "#app/features/archive/export-section.tsx";
import { ImportSection } from "#app/features/archive/import-section.tsx";
import { SettingsRow } from "#app/features/settings/settings-rows.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { TrashIcon } from "#app/ui/icons.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/data.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Your data") }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const [asksPassword, fresh, exports, latestImport, hasMessages] = await Promise.all([
    features.identity.confirmation.asksPassword(member),
    features.identity.confirmation.isFresh(member),
    features.exports.list(member),
    features.imports.latest(member),
    features.importedThreads.some(member),
  ]);
  return { asksPassword: asksPassword && !fresh, exports, latestImport, hasMessages };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  // An archive has its own address: whether it may come is asked before its 4 GB do.
  const importing = new URL(request.url).searchParams.has("import");
  let change = importing ? "import" : "";
  try {
    if (importing) await features.imports.checkMayStart(member);
    const reading = readForm(request, importing ? archiveBounds : undefined);
    const { fields, file } = await (importing ? reading : orRefusalPage(reading));
    const { password = "" } = fields;
    ({ change = change } = fields);
    if (change === "export") {
      await features.exports.start(member, { password });
      return redirect("/settings/data");
    }
    if (change === "import") {
      await features.imports.start(member, file("archive"));
      return redirect("/settings/data");
    }
    throw refuse("input-invalid");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status, fields: wrong } = error;
    return data({ change, message, fields: wrong }, status);
  }
}

export default function Data({ loaderData, actionData }: Route.ComponentProps) {
  const { asksPassword, exports, latestImport, hasMessages } = loaderData;
  const pending = useNavigation().formData?.get("change") === "export";
  const returned = (change: string) => (actionData?.change === change ? actionData : undefined);
  return (
    <>
      <BackLink to="/settings" besides>
        Settings
      </BackLink>
      <PageTitle>Your data</PageTitle>
      <div className="grid gap-4 pb-8">
        <ExportSection
          exports={exports}
          asksPassword={asksPassword}
          pending={pending}
          returned={returned("export")}
        />
        <ImportSection
          latest={latestImport}
          hasMessages={hasMessages}
          problem={returned("import")?.message}
        />
        <ul className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
          <SettingsRow to="/settings/delete" icon={TrashIcon} label="Delete account" danger />
        </ul>
      </div>
    </>
  );
}
