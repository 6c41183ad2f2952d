import { AskForMail } from "#app/features/identity/verification/ask-for-mail.tsx";
import { forgotPassword } from "#app/features/identity/verification/words.ts";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { titled } from "#app/lib/page/place.ts";
import type { Route } from "./+types/forgot-password.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Forgot password") }, about];

export function loader({ context }: Route.LoaderArgs) {
  return { mailLeaves: context.get(appContext).features.verification.mailLeaves };
}

export const action = formAction({
  [unnamed]: form(({ signIn }) => signIn.forgotPassword, {
    keeps: ["email"],
    shows: () => ({ asked: true }),
  }),
});

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { mailLeaves } = loaderData;
  const { text, button } = forgotPassword(mailLeaves);
  return (
    <AskForMail
      title="Forgot password?"
      line={text}
      button={button}
      mailLeaves={mailLeaves}
      answer={actionData}
    />
  );
}
