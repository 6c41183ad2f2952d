import { redirect } from "react-router";
import { importTitle, yourData } from "#messages/data.json";
import { BringPhotos } from "#app/features/archive/bring/bring-photos.tsx";
import { importInLanguage } from "#app/features/archive/import-in-language.server.ts";
import { startImport } from "#app/features/archive/start-import.server.ts";
import { orTyped } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/bring-photos";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [latest, undoable, next, { bytes, quota }] = await Promise.all([
    features.imports.latest(member),
    features.imports.undoable(member),
    features.posts.nextAudience(member),
    features.storage.of(member),
  ]);
  const room = quota === null ? null : Math.max(0, quota - bytes);
  return { accountId: member.id, latest: importInLanguage(latest), undoable, ...next, room };
}

/** Without scripts the whole archive is sent, and read here. */
export async function action({ request, context }: Route.ActionArgs) {
  const page = memberPage(context);
  return orTyped({ form: "import", fields: {} }, [], async () => {
    await startImport(page, page.member, request);
    return redirect("/settings/data");
  });
}

export default function BringPhotosPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <BackLink to="/settings/data">{yourData}</BackLink>
      <ScreenTitle>{importTitle}</ScreenTitle>
      <BringPhotos {...loaderData} problem={actionData?.problem.message} />
    </>
  );
}
