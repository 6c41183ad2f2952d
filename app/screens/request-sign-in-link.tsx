import { redirect, useSearchParams } from "react-router";
import { refuse } from "#shared/errors.ts";
import { AskForMail } from "#app/features/identity/verification/ask-for-mail.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { refusalPage } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import type { Route } from "./+types/request-sign-in-link.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Email me a link") }, about];

/** Offered only where mail arrives by itself. */
export function loader({ context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  if (viewer) throw redirect("/");
  if (!features.verification.mailLeaves) throw refusalPage(refuse("not-found"));
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
    <AskForMail
      title="Email me a link"
      line="Sign in with a link instead of your password."
      button="Send email"
      mailLeaves
      returnTo={safeReturnPath(query.get(returnParameter))}
      answer={actionData}
    />
  );
}
