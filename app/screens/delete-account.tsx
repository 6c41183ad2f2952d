import { redirect } from "react-router";
import { deleteAccount } from "#messages/settings.json";
import { DeleteAccount as DeleteAccountForm } from "#app/features/archive/delete-account.tsx";
import { farewellCookie } from "#app/features/archive/farewell.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage, requireMember } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/delete-account";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  // Asked for every time, however recently it was given.
  const asksPassword = await features.identity.confirmation.hasPassword(member);
  const lastOperator = await features.firstOperator.isLast(member);
  return { username: member.username, asksPassword, lastOperator };
}

export const action = formAction({
  [unnamed]: act(
    async (page, { fields: { username = "", password = "" } }) => {
      const { deletion } = page.features;
      const typed = { username, password };
      const { cookies } = await deletion.request(requireMember(page), typed, page.client);
      const farewell = farewellCookie(page.publicUrl.startsWith("https:"));
      return redirect("/goodbye", { headers: setCookies([...cookies, farewell]) });
    },
    ["username"],
  ),
});

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <SettingsTitle>{deleteAccount}</SettingsTitle>
      <div className="grid gap-4 pb-8">
        <DeleteAccountForm {...loaderData} returned={actionData} />
      </div>
    </>
  );
}
