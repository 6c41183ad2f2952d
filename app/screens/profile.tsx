import { ProfilePage } from "#app/features/profiles/profile-page.tsx";
import { readProfile } from "#app/features/profiles/read-profile.server.ts";
import { SignOutButton } from "#app/features/shell/sign-out.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { requireMember } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/profile";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl, site } = context.get(appContext);
  const { id } = requireMember({ viewer });
  return {
    ...(await readProfile({ viewer, features, publicUrl, site }, id, request.url)),
    viewerId: id,
  };
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  return (
    <ProfilePage
      {...loaderData}
      ownActions={
        <SignOutButton className="btn btn-outline border-line md:hidden" iconClassName="size-5" />
      }
    />
  );
}
