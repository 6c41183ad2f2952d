import { useState, type SubmitEvent } from "react";
import { data, useNavigate } from "react-router";
import { refuse } from "#shared/errors.ts";
import { isSignInProblem } from "#shared/providers.ts";
import * as words from "#messages/security.json";
import { useProviderPopup } from "#app/features/identity/use-provider-popup.ts";
import { ConfirmForm } from "#app/features/identity/security/confirm-form.tsx";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { instead } from "#app/lib/instead.ts";
import { refusalIn } from "#app/lib/forms/form-errors.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { problemIn } from "#app/lib/provider-paths.ts";
import { memberPage, orNotFound, requireMember } from "#app/lib/refusals.server.ts";
import { notify } from "#app/lib/toasts.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/connect-provider";

export const meta = pageMeta(words.connect);

/** The page after connecting. */
const afterwards = "/settings/security";

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const provider = features.providers.list().find(({ name }) => name === params.provider);
  return {
    provider: orNotFound(provider),
    asksPassword: await features.identity.confirmation.asksPassword(member),
    problem: problemIn(request.url, inLanguage),
  };
}

/**
 * Without scripts. The answer is a page with a link: a form may lead to this site only (the content
 * security policy's form-action, which browsers apply to redirects too).
 */
export const action = formAction({
  [unnamed]: act(async (page, { params: { provider = "" }, fields: { password = "" } }) => {
    const { features, client, origin } = page;
    const asked = { provider, origin, returnTo: afterwards, inPopup: false, client, password };
    const { url, cookies } = await features.providers
      .beginConnecting(requireMember(page), asked)
      .catch((error: unknown) => {
        throw isSignInProblem(error) ? refuse("input-invalid", { message: error.message }) : error;
      });
    return data({ url }, { headers: setCookies(cookies) });
  }),
});

export default function ConnectProvider({ loaderData, actionData }: Route.ComponentProps) {
  const { provider, asksPassword, problem } = loaderData;
  const { label } = provider;
  const continueTo = fill(words.continueTo, { provider: label });
  const navigate = useNavigate();
  const [wrong, setWrong] = useState<string>();
  const { waiting, open } = useProviderPopup(() => {
    notify.success(fill(words.providerIsConnected, { provider: label }));
    void navigate(afterwards, { replace: true });
  });

  function submit({ currentTarget }: SubmitEvent<HTMLFormElement>) {
    const password = String(new FormData(currentTarget).get("password"));
    setWrong(undefined);
    void open(provider, { returnTo: afterwards, password }, ({ fields }) =>
      setWrong(fields?.["password"]),
    );
  }

  if (actionData && "url" in actionData) {
    return (
      <EmptyState
        heading
        title={fill(words.confirmWith, { provider: label })}
        action={
          <a href={actionData.url} className="btn btn-primary">
            {continueTo}
          </a>
        }
      />
    );
  }
  const refused = refusalIn(actionData)?.problem;
  return (
    <>
      <ConfirmForm
        title={fill(words.connectProvider, { provider: label })}
        press={continueTo}
        asksPassword={asksPassword}
        pending={waiting !== null}
        error={wrong ?? refused?.fields?.["password"]}
        alert={refused ? (refused.fields ? undefined : refused.message) : problem}
        onSubmit={instead(submit)}
      >
        {fill(words.connectProviderText, { provider: label })}
      </ConfirmForm>
      <LoadingGate active={waiting !== null} text={waiting?.text ?? ""} />
    </>
  );
}
