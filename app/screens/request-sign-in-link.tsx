import { redirect, useSearchParams } from "react-router";
import { refuse } from "#shared/errors.ts";
import { signInByLinkText } from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { EmailRequestForm } from "#app/features/identity/verification/email-request-form.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import type { Route } from "./+types/request-sign-in-link";

export const meta = pageMeta(identity.emailMeALink);

/** Offered only where the server sends mail itself. */
export function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  if (viewer) throw redirect("/");
  if (!features.verification.mailLeaves) throw refuse("not-found");
  return null;
}

export const action = formAction({
  [unnamed]: act(
    async ({ features, client }, { fields: { email = "" }, back }) => {
      await features.verification.requestSignInLink({ email, client, returnTo: back });
      return { asked: true };
    },
    ["email"],
  ),
});

export default function RequestSignInLink({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return (
    <EmailRequestForm
      title={identity.emailMeALink}
      line={signInByLinkText}
      button={identity.sendEmail}
      mailLeaves
      returnTo={safeReturnPath(query.get(returnParameter))}
      answer={actionData}
    />
  );
}
