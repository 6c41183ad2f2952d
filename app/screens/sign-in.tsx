import { Form, redirect, useNavigation, useSearchParams } from "react-router";
import * as words from "#messages/identity.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { OtherForm } from "#app/features/identity/other-form.tsx";
import { PasskeyButton } from "#app/features/identity/passkey-button.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { ProviderSignIn } from "#app/features/identity/provider-sign-in.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { signsIn } from "#app/features/identity/signs-in.server.ts";
import { untilDialogIsRead } from "#app/features/identity/until-dialog-is-read.ts";
import { MailedLinks } from "#app/features/identity/verification/mailed-links.tsx";
import { LanguageChoice } from "#app/features/shell/language-choice.tsx";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { useProblemMessage } from "#app/lib/page/problem-message.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { problemIn } from "#app/lib/provider-paths.ts";
import {
  followParameter,
  returnParameter,
  safeReturnPath,
  withReturn,
} from "#app/lib/return-path.ts";
import { withSignUpContext } from "#app/lib/sign-up-context.ts";
import { Submit } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { EmailField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-in";

export const meta = pageMeta(words.signIn);

export function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features, origin } = context.get(appContext);
  if (viewer) throw redirect("/");
  return {
    providers: features.providers.list(),
    problem: problemIn(request.url, inLanguage),
    mailLeaves: features.verification.mailLeaves,
    passkeys: features.identity.passkeys.workAt(origin),
  };
}

export const shouldRevalidate = untilDialogIsRead;

export const action = formAction({
  [unnamed]: form(({ session }) => session.signIn, { ...signsIn, restores: ["email"] }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: { email: undefined } });

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const pending = useNavigation().formData !== undefined;
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get(returnParameter));
  const message = useProblemMessage(refused?.problem) ?? (refused ? undefined : loaderData.problem);
  const { errors, ...listeners } = useFieldErrors(refused?.problem.fields, (form) =>
    missing(form, ["email", "password"]),
  );
  return (
    <PostcardCard title={words.signIn}>
      <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
        {message ? <FormAlert text={message} /> : null}
        <input type="hidden" name="returnTo" value={returnTo} />
        <EmailField
          label={words.email}
          defaultValue={refused?.typed.email}
          error={errors["email"]}
        />
        <PasswordField label={words.password} error={errors["password"]} />
        <Submit pending={pending} className="mt-2 w-full">
          {words.signIn}
        </Submit>
        <MailedLinks mailLeaves={loaderData.mailLeaves} returnTo={returnTo} />
      </Form>
      {loaderData.passkeys ? <PasskeyButton to={returnTo} /> : null}
      <ProviderSignIn providers={loaderData.providers} returnTo={returnTo} />
      <OtherForm
        question={words.newHere}
        to={withSignUpContext(withReturn("/signUp", returnTo), {
          follow: query.get(followParameter),
        })}
        label={words.createAccount}
      />
      <LanguageChoice className="pt-8" />
      <LoadingGate active={pending} text={words.signingYouIn} />
      {actionData && "to" in actionData ? (
        <SignedInDialog text={words.signedIn} to={actionData.to} />
      ) : null}
    </PostcardCard>
  );
}
