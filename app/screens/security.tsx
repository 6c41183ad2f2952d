import { data } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { ActivitySection } from "#app/features/identity/security/activity-section.tsx";
import { ConnectedSignIns } from "#app/features/identity/security/connected-sign-ins.tsx";
import { changeSecurity } from "#app/features/identity/security/change-security.server.ts";
import { PasskeysSection } from "#app/features/identity/security/passkeys-section.tsx";
import { PasswordSection } from "#app/features/identity/security/password-section.tsx";
import { SessionsSection } from "#app/features/identity/security/sessions-section.tsx";
import { returnedSetup } from "#app/features/identity/security/totp-setup.server.ts";
import { TwoFactorSection } from "#app/features/identity/security/two-factor-section.tsx";
import type { Returned } from "#app/features/identity/security/use-security-form.ts";
import { EmailRow } from "#app/features/identity/security/email-row.tsx";
import { about } from "#app/lib/page/about.ts";
import { askedOrigin } from "#app/lib/asked-origin.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/security.ts";

export const meta: Route.MetaFunction = () => [{ title: "Security · Postcard" }, about];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features, timeZone, publicUrl } = context.get(appContext);
  const member = requireMember({ viewer });
  const before = new URL(request.url).searchParams.get("before");
  const activity = await orRefusalPage(features.identity.activity.list(member, before));
  const [address, hasPassword, twoFactor, passkeys, providers, sessions] = await Promise.all([
    features.verification.emailState(member),
    features.identity.confirmation.asksPassword(member),
    features.identity.twoFactor.status(member),
    features.identity.passkeys.list(member),
    features.providers.connections(member),
    features.identity.sessions.list(member),
  ]);
  return {
    email: member.email,
    address,
    hasPassword,
    twoFactor,
    passkeys,
    passkeysWork: features.identity.passkeys.workAt(askedOrigin(request, publicUrl)),
    providers,
    sessions,
    activity,
    older: before !== null,
    timeZone,
  };
}

/** The forms of a browser without scripts: how it went stands in the page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  const member = requireMember({ viewer });
  const { change = "" } = fields;
  try {
    const saved = await changeSecurity(features, member, fields);
    const { message } = saved;
    const returned: Returned = { change, message, saved, fields: undefined, setup: null };
    return data(returned);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status, fields: wrong } = error;
    const setup = returnedSetup(fields["setup"]);
    const returned: Returned = { change, message, saved: null, fields: wrong, setup };
    return data(returned, status);
  }
}

export default function Security({ loaderData, actionData: returned }: Route.ComponentProps) {
  const { email, address, hasPassword, twoFactor, passkeys, providers, sessions, timeZone } =
    loaderData;
  const { activity, older, passkeysWork } = loaderData;
  return (
    <>
      <BackLink to="/settings">Settings</BackLink>
      <PageTitle>Security</PageTitle>
      <div className="grid gap-4 pb-8">
        {returned ? <HowItWent returned={returned} /> : null}
        <EmailRow state={address} />
        <PasswordSection email={email} hasPassword={hasPassword} returned={returned} />
        <TwoFactorSection status={twoFactor} hasPassword={hasPassword} returned={returned} />
        <PasskeysSection
          passkeys={passkeys}
          work={passkeysWork}
          hasPassword={hasPassword}
          returned={returned}
        />
        <ConnectedSignIns providers={providers} timeZone={timeZone} />
        <SessionsSection sessions={sessions} returned={returned} />
        <ActivitySection page={activity} older={older} />
      </div>
    </>
  );
}

/** After a submit without scripts; what is wrong with a field stands beside it. */
function HowItWent({ returned }: { returned: Returned }) {
  if (returned.fields || !returned.message) return null;
  return (
    <div className="mx-4 md:mx-0">
      {returned.saved ? (
        <p role="status" className="rounded-field bg-base-200 px-4 py-3">
          {returned.message}
        </p>
      ) : (
        <FormAlert text={returned.message} />
      )}
    </div>
  );
}
