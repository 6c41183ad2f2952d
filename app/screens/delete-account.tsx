import { redirect } from "react-router";
import { deleteAccount } from "#messages/settings.json";
import { settings } from "#messages/shell.json";
import { DeleteAccount as DeleteAccountForm } from "#app/features/archive/delete-account.tsx";
import { farewellCookie } from "#app/features/archive/farewell.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/delete-account";

export const meta = pageMeta(deleteAccount);

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
      <BackLink to="/settings" besides>
        {settings}
      </BackLink>
      <PageTitle>{deleteAccount}</PageTitle>
      <div className="grid gap-4 pb-8">
        <DeleteAccountForm {...loaderData} returned={actionData} />
      </div>
    </>
  );
}
