import { data, useNavigate } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { profileFieldNames } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { EditProfileForm } from "#app/features/profiles/edit-profile-form.tsx";
import { saveProfile } from "#app/features/profiles/save-profile.server.ts";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import {
  orNotFound,
  orRefusalPage,
  requireMember,
  refusedInit,
  retryAfterHeaders,
} from "#app/lib/refusals.server.ts";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/edit-profile.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Edit Profile") }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const profile = orNotFound(await features.profiles.get(member, member.id));
  const said = { ...member, ...profile };
  return { account: profile.account, words: recordOf(profileFieldNames, (name) => said[name]) };
}

/** Only Retry-After, where too much was written. */
export const headers = retryAfterHeaders;

/** The form of a browser without scripts: picture and words in one request. */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  const { fields, file } = await orRefusalPage(readForm(request, { maxFiles: 1 }));
  let { imageId = "" } = fields;
  try {
    const image = file("image");
    if (image) ({ imageId } = await features.images.upload(member, image));
    const { matchedCount } = await saveProfile(features, member, fields, imageId);
    if (matchedCount < 1) throw refuse("not-found");
    return { saved: true as const };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, fields: wrong } = error;
    const typed = recordOf(profileFieldNames, (name) => fields[name] ?? "");
    const kept = code === "picture-unknown" ? "" : imageId;
    const problem = { code, message, fields: wrong };
    return data({ saved: false as const, typed, imageId: kept, problem }, refusedInit(error));
  }
}

export default function EditProfile({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { account, words } = loaderData;
  const returned = actionData?.saved === false ? actionData : undefined;
  const nameless = !words.firstName && !words.secondName;
  return (
    <>
      <PageTitle>Edit Profile</PageTitle>
      {nameless && (
        <p className="mx-4 mb-4 rounded-field bg-base-200 px-4 py-3 md:mx-0">
          People only see your username for now. Add your name so they know who you are.
        </p>
      )}
      <EditProfileForm account={account} words={returned?.typed ?? words} returned={returned} />
      {actionData?.saved && (
        <LazyDialog
          title="Success"
          text="Saved Changes"
          okTo="/profile"
          onClose={() => void navigate("/profile", { replace: true })}
        />
      )}
    </>
  );
}
