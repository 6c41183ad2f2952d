import { AskForMail } from "#app/features/identity/verification/ask-for-mail.tsx";
import { requestMail } from "#app/features/identity/verification/request-mail.server.ts";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/forgot-password.ts";

export const meta: Route.MetaFunction = () => [{ title: "Forgot password · Postcard" }, about];

export function loader({ context }: Route.LoaderArgs) {
  return { mailLeaves: context.get(appContext).features.verification.mailLeaves };
}

export function action(args: Route.ActionArgs) {
  return requestMail("requestReset", args);
}

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AskForMail
      title="Forgot password?"
      line="We'll email you a link to choose a new one."
      button="Send email"
      mailLeaves={loaderData.mailLeaves}
      answer={actionData}
    />
  );
}
