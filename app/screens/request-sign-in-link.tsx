import { redirect, useSearchParams } from "react-router";
import { refuse } from "#shared/errors.ts";
import { AskForMail } from "#app/features/identity/verification/ask-for-mail.tsx";
import { requestMail } from "#app/features/identity/verification/request-mail.server.ts";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
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

export function action(args: Route.ActionArgs) {
  return requestMail("requestSignInLink", args);
}

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
