import { data, useSearchParams, type ShouldRevalidateFunctionArgs } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { security } from "#messages/settings.json";
import { changeSecurity } from "#app/features/identity/security/change-security.server.ts";
import { dialogOf } from "#app/features/identity/security/dialog-of.ts";
import { SecurityRows } from "#app/features/identity/security/security-rows.tsx";
import { returnedSetup } from "#app/features/identity/security/totp-setup.server.ts";
import type { Returned } from "#app/features/identity/security/use-security-form.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { memberPage, problemOfRefusal } from "#app/lib/refusals.server.ts";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import type { Route } from "./+types/security";

const SecurityDialog = lazyComponent(
  async () => (await import("#app/features/identity/security/security-dialog.tsx")).SecurityDialog,
  notifyUnreachable,
);

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features, origin } = memberPage(context);
  const [address, password, twoFactor, passkeys, providers, sessions, apps] = await Promise.all([
    features.verification.emailState(member),
    features.identity.confirmation.passwordTime(member),
    features.identity.twoFactor.status(member),
    features.identity.passkeys.list(member),
    features.providers.connections(member),
    features.identity.sessions.list(member),
    features.apps.list(member),
  ]);
  return {
    email: member.email,
    address,
    password,
    twoFactor,
    passkeys,
    passkeysWork: features.identity.passkeys.workAt(origin),
    providers,
    sessions,
    connectedApps: apps.length,
  };
}

/** The forms without scripts: the result is shown in the page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { member, features, readForm } = memberPage(context);
  const { fields } = await readForm(request);
  const { change = "" } = fields;
  try {
    const saved = await changeSecurity(features, member, fields);
    const { message } = saved;
    const returned: Returned = { change, message, saved, fields: undefined, setup: null };
    return data(returned);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, fields: wrong } = problemOfRefusal(error);
    const setup = returnedSetup(fields["setup"]);
    const returned: Returned = { change, message, saved: null, fields: wrong, setup };
    return data(returned, error.status);
  }
}

/** A dialog shows data that is here already. */
export function shouldRevalidate(ask: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = ask;
  const opensDialog =
    currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return opensDialog && formMethod === undefined ? false : defaultShouldRevalidate;
}

export default function Security({ loaderData, actionData: returned }: Route.ComponentProps) {
  const { address } = loaderData;
  const name = dialogOf(useSearchParams()[0].get("change"), returned);
  return (
    <>
      <SettingsTitle>{security}</SettingsTitle>
      <div className="grid gap-6 pt-2 pb-8">
        {returned?.saved?.message && name === null ? (
          <p role="status" className="mx-4 rounded-field bg-base-200 px-4 py-3 md:mx-0">
            {returned.saved.message}
          </p>
        ) : null}
        <SecurityRows {...loaderData} />
      </div>
      {name ? (
        <SecurityDialog
          {...loaderData}
          name={name}
          asksPassword={address.asksPassword}
          returned={returned}
        />
      ) : null}
    </>
  );
}
