import { useNavigate } from "react-router";
import { extraFieldInputs, extraInputsOf } from "#shared/extra-fields.ts";
import { profileFieldNames } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { success } from "#messages/identity.json";
import * as messages from "#messages/profile.json";
import { EditProfileForm } from "#app/features/profiles/edit-profile-form.tsx";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { refusalIn } from "#app/lib/forms/form-errors.ts";
import { memberPage, orNotFound, requireMember } from "#app/lib/refusals.server.ts";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/edit-profile";

const names = [...profileFieldNames, ...extraFieldInputs];

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features, publicUrl } = memberPage(context);
  const profile = orNotFound(await features.profiles.get(member, member.id));
  const said = { ...member, ...profile, ...extraInputsOf(profile.extraFields) };
  return {
    account: profile.account,
    words: recordOf(names, (name) => said[name]),
    profileUrl: `${publicUrl}/users/${member.id}`,
  };
}

export const action = formAction(
  {
    [unnamed]: act(
      async (page, { fields, file }) => {
        const member = requireMember(page);
        const image = file("image");
        // It stays with the form if the other fields are refused.
        if (image) fields["imageId"] = (await page.features.images.upload(member, image)).imageId;
        await page.call(page.calls.settings.editProfile, { body: fields });
        return { saved: true };
      },
      [...names, "imageId"],
    ),
  },
  { allow: requireMember, maxFiles: 1 },
);

export default function EditProfile({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { account, words, profileUrl } = loaderData;
  const returned = refusalIn(actionData);
  const nameless = !words.firstName && !words.secondName;
  return (
    <>
      <ScreenTitle>{messages.editProfile}</ScreenTitle>
      {nameless && (
        <p className="mx-4 mb-4 rounded-field bg-base-200 px-4 py-3 md:mx-0">{messages.nameless}</p>
      )}
      <EditProfileForm
        account={account}
        words={recordOf(names, (name) => returned?.typed[name] ?? words[name])}
        profileUrl={profileUrl}
        returned={returned}
      />
      {actionData && !returned && (
        <LazyDialog
          title={success}
          text={messages.savedChanges}
          okTo="/profile"
          onClose={() => void navigate("/profile", { replace: true })}
        />
      )}
    </>
  );
}
