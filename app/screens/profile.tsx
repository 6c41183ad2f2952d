import { ProfilePage } from "#app/features/profiles/profile-page.tsx";
import { readProfile } from "#app/features/profiles/read-profile.server.ts";
import { SignOutButton } from "#app/features/shell/sign-out.tsx";
import { form, formAction } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import type { Route } from "./+types/profile";

/** Hardly anybody sees it, and nobody twice. */
const UsernameOffer = lazyComponent(
  async () => (await import("#app/features/settings/username-offer.tsx")).UsernameOffer,
  notifyUnreachable,
);

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { member, features, publicUrl, site } = memberPage(context);
  const { id, username } = member;
  const offered = await features.settings.offersUsername(member);
  return {
    ...(await readProfile({ viewer: member, features, publicUrl, site }, id, request.url)),
    viewerId: id,
    makeshift: offered ? username : null,
  };
}

export const action = formAction({
  "keep-username": form(({ settings }) => settings.keepUsername, { to: "/profile" }),
});

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { makeshift, ...profile } = loaderData;
  return (
    <>
      {makeshift !== null && <UsernameOffer username={makeshift} />}
      <ProfilePage
        {...profile}
        ownActions={
          <SignOutButton
            className="btn border-line btn-outline whitespace-nowrap md:hidden"
            iconClassName="size-5"
          />
        }
      />
    </>
  );
}
