import { redirect } from "react-router";
import { PrivateNote } from "#app/features/profiles/private-note.tsx";
import { ProfilePage } from "#app/features/profiles/profile-page.tsx";
import { readProfile } from "#app/features/profiles/read-profile.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction } from "#app/lib/forms/form-action.server.ts";
import { orNotFound } from "#app/lib/refusals.server.ts";
import { isUsername } from "#shared/usernames.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import type { Route } from "./+types/account";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

export const headers = publicPage;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl, site } = context.get(appContext);
  const viewerId = viewer?.id ?? null;
  if (params.id.toLowerCase() === viewerId) throw redirect("/profile");
  // Mentions link here with a username.
  if (isUsername(params.id.toLowerCase())) {
    const { id } = orNotFound(await features.accounts.findByAddress(viewer, params.id));
    throw redirect(`/search/${id}`);
  }
  return {
    ...(await readProfile({ viewer, features, publicUrl, site }, params.id, request.url)),
    viewerId,
  };
}

export const action = formAction({
  note: form(({ notes }) => notes.set, {
    to: ({ params }) => `/search/${params["id"]}`,
    restores: ["note"],
  }),
});

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { profile, viewerId } = loaderData;
  const note = viewerId !== null && (
    <PrivateNote
      // saved, it is the page's again
      key={profile.note}
      name={profile.account.name}
      note={profile.note}
      refused={actionData}
    />
  );
  return <ProfilePage {...loaderData} note={note} />;
}
