import { useState, type SubmitEvent } from "react";
import { data, useNavigate } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { isSignInProblem } from "#shared/providers.ts";
import { useProviderPopup } from "#app/features/identity/use-provider-popup.ts";
import { ConfirmForm } from "#app/features/identity/security/confirm-form.tsx";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { about } from "#app/lib/page/about.ts";
import { askedOrigin } from "#app/lib/asked-origin.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { problemIn } from "#app/lib/provider-paths.ts";
import { orNotFound, requireMember } from "#app/lib/refusals.server.ts";
import { notify } from "#app/lib/toasts.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/connect-provider.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Connect") }, about];

/** Where connecting ends. */
const afterwards = "/settings/security";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const provider = features.providers.list().find(({ name }) => name === params.provider);
  return {
    provider: orNotFound(provider),
    asksPassword: await features.identity.confirmation.asksPassword(member),
    problem: problemIn(request.url),
  };
}

/**
 * Without scripts. The answer is a page with a link: a form may lead to this site only
 * (the content security policy's form-action, which browsers apply to redirects too).
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, client, publicUrl, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  try {
    const { password = "" } = (await readForm(request)).fields;
    const { url, cookies } = await features.providers.beginConnecting(member, {
      provider: params.provider,
      origin: askedOrigin(request, publicUrl),
      returnTo: afterwards,
      inPopup: false,
      client,
      password,
    });
    return data({ url, fields: undefined, message: "" }, { headers: setCookies(cookies) });
  } catch (error) {
    if (!isRefusal(error) && !isSignInProblem(error)) throw error;
    const fields = isRefusal(error) ? error.fields : undefined;
    const status = isRefusal(error) ? error.status : 400;
    return data({ url: undefined, fields, message: error.message }, { status });
  }
}

export default function ConnectProvider({ loaderData, actionData }: Route.ComponentProps) {
  const { provider, asksPassword, problem } = loaderData;
  const { label } = provider;
  const navigate = useNavigate();
  const [wrong, setWrong] = useState<string>();
  const { waiting, open } = useProviderPopup(() => {
    notify.success(`${label} is connected`);
    void navigate(afterwards, { replace: true });
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    setWrong(undefined);
    void open(provider, { returnTo: afterwards, password }, ({ fields }) =>
      setWrong(fields?.["password"]),
    );
  }

  if (actionData?.url) {
    return (
      <EmptyState
        heading
        title={`Confirm with ${label}`}
        action={
          <a href={actionData.url} className="btn btn-primary">
            Continue to {label}
          </a>
        }
      />
    );
  }
  return (
    <>
      <ConfirmForm
        title={`Connect ${label}`}
        press={`Continue to ${label}`}
        asksPassword={asksPassword}
        pending={waiting !== null}
        error={wrong ?? actionData?.fields?.["password"]}
        alert={actionData ? (actionData.fields ? undefined : actionData.message) : problem}
        onSubmit={submit}
      >
        You'll be able to sign in to this account with {label}, too.
      </ConfirmForm>
      <LoadingGate active={waiting !== null} text={waiting?.text ?? ""} />
    </>
  );
}
