import { data, Link, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { DeleteAccount } from "#app/features/archive/delete-account.tsx";
import { about } from "#app/lib/about.ts";
import { appContext } from "#app/lib/context.ts";
import { setCookies } from "#app/lib/cookies.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.ts";
import { CaretLeftIcon } from "#app/ui/icons.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/data.ts";

export const meta: Route.MetaFunction = () => [{ title: "Your data · Postcard" }, about];

export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  return { username: member.username, asksPassword: await features.identity.asksPassword(member) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  const { fields } = await orRefusalPage(readForm(request));
  const { change = "", username = "", password = "" } = fields;
  try {
    if (change !== "delete") throw refuse("input-invalid");
    const { cookies } = await features.deletion.request(member, { username, password }, client);
    return redirect("/goodbye", { headers: setCookies(cookies) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status, fields: wrong } = error;
    return data({ change, message, username, fields: wrong }, status);
  }
}

export default function Data({ loaderData, actionData }: Route.ComponentProps) {
  const { username, asksPassword } = loaderData;
  const returned = (change: string) => (actionData?.change === change ? actionData : undefined);
  return (
    <>
      <Link
        to="/settings"
        className="mx-4 mt-2 -mb-3 inline-flex min-h-11 items-center gap-1 text-sm text-muted md:mx-0 md:mt-0"
      >
        <CaretLeftIcon className="size-4" aria-hidden />
        Settings
      </Link>
      <PageTitle>Your data</PageTitle>
      <div className="grid gap-4 pb-8">
        <DeleteAccount
          username={username}
          asksPassword={asksPassword}
          returned={returned("delete")}
        />
      </div>
    </>
  );
}
