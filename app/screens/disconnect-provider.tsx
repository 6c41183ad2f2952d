import { redirect, useNavigation } from "react-router";
import * as words from "#messages/security.json";
import { ConfirmForm } from "#app/features/identity/security/confirm-form.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage, orNotFound, requireMember } from "#app/lib/refusals.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import type { Route } from "./+types/disconnect-provider";

export const meta = pageMeta(words.disconnect);

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const connections = await features.providers.connections(member);
  const provider = connections.find(
    ({ name, connectedSince }) => name === params.provider && connectedSince !== null,
  );
  const asksPassword = await features.identity.confirmation.asksPassword(member);
  return { label: orNotFound(provider).label, asksPassword };
}

export const action = formAction({
  [unnamed]: act(async (page, { params: { provider = "" }, fields: { password = "" } }) => {
    await page.features.providers.disconnect(requireMember(page), provider, { password });
    return redirect("/settings/security");
  }),
});

export default function DisconnectProvider({ loaderData, actionData }: Route.ComponentProps) {
  const { label, asksPassword } = loaderData;
  const problem = actionData?.problem;
  return (
    <ConfirmForm
      title={fill(words.disconnectProvider, { provider: label })}
      press={words.disconnect}
      danger
      asksPassword={asksPassword}
      pending={useNavigation().formData !== undefined}
      error={problem?.fields?.["password"]}
      alert={problem?.fields ? undefined : problem?.message}
    >
      {fill(words.disconnectProviderText, { provider: label })}
    </ConfirmForm>
  );
}
