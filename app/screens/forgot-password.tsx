import * as words from "#messages/identity.json";
import { EmailRequestForm } from "#app/features/identity/verification/email-request-form.tsx";
import { forgotPasswordText } from "#app/features/identity/verification/mail-texts.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import type { Route } from "./+types/forgot-password";

export const meta = pageMeta(words.forgotTitle);

export function loader({ context }: Route.LoaderArgs) {
  return { mailLeaves: context.get(appContext).features.verification.mailLeaves };
}

export const action = formAction({
  [unnamed]: form(({ signIn }) => signIn.forgotPassword, {
    restores: ["email"],
    shows: () => ({ asked: true }),
  }),
});

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { mailLeaves } = loaderData;
  const { text, button } = forgotPasswordText(mailLeaves);
  return (
    <EmailRequestForm
      title={words.forgot}
      line={text}
      button={button}
      mailLeaves={mailLeaves}
      answer={actionData}
    />
  );
}
