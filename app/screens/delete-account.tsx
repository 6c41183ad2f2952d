import { data, redirect } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { DeleteAccount as DeleteAccountForm } from "#app/features/archive/delete-account.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/delete-account.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Delete account") }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  // Asked for every time, however lately it was given.
  const asksPassword = await features.identity.confirmation.hasPassword(member);
  const lastOperator = await features.firstOperator.isLast(member);
  return { username: member.username, asksPassword, lastOperator };
}

/** POST username, password */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  const { username = "", password = "" } = (await orRefusalPage(readForm(request))).fields;
  try {
    const { cookies } = await features.deletion.request(member, { username, password }, client);
    return redirect("/goodbye", { headers: setCookies(cookies) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status, fields } = error;
    return data({ message, username, fields }, status);
  }
}

export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <BackLink to="/settings" besides>
        Settings
      </BackLink>
      <PageTitle>Delete account</PageTitle>
      <div className="grid gap-4 pb-8">
        <DeleteAccountForm {...loaderData} returned={actionData} />
      </div>
    </>
  );
}
