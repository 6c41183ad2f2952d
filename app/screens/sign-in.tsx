import { data, Form, redirect, useNavigation, useSearchParams } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { OtherForm } from "#app/features/identity/other-form.tsx";
import { PasskeyButton } from "#app/features/identity/passkey-button.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { ProviderSignIn } from "#app/features/identity/provider-sign-in.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { unlessAway } from "#app/features/identity/unless-away.ts";
import { untilDialogIsRead } from "#app/features/identity/until-dialog-is-read.ts";
import { MailedLinks } from "#app/features/identity/verification/mailed-links.tsx";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { about } from "#app/lib/page/about.ts";
import { askedOrigin } from "#app/lib/asked-origin.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { usePassingMessage } from "#app/lib/page/passing-message.ts";
import { titled } from "#app/lib/page/place.ts";
import { problemIn } from "#app/lib/provider-paths.ts";
import { returnParameter, safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-in.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Sign In") }, about];

export function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl } = context.get(appContext);
  if (viewer) throw redirect("/");
  return {
    providers: features.providers.list(),
    problem: problemIn(request.url),
    mailLeaves: features.verification.mailLeaves,
    passkeys: features.identity.passkeys.workAt(askedOrigin(request, publicUrl)),
  };
}

export const shouldRevalidate = untilDialogIsRead;

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, readForm } = context.get(appContext);
  if (viewer) throw redirect("/");
  const { email = "", password = "", returnTo } = (await readForm(request)).fields;
  const typed = { signedIn: false as const, email };
  try {
    const to = safeReturnPath(returnTo);
    const entered = await features.identity.signIn.withPassword({ email, password, client });
    const headers = setCookies(entered.cookies);
    if ("leaving" in entered) throw redirect("/keepAccount", { headers });
    if ("suspended" in entered) throw redirect("/suspended", { headers });
    if (!entered.viewer) throw redirect(withReturn("/signIn/code", to), { headers });
    return data({ signedIn: true as const, to }, { headers });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { fields, status, message } = error;
    return fields
      ? data({ ...typed, fields, message: undefined }, status)
      : data({ ...typed, fields: undefined, message }, status);
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return unlessAway(serverAction(), { email: undefined });
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData?.signedIn === false ? actionData : undefined;
  const pending = useNavigation().formData !== undefined;
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get(returnParameter));
  const message = usePassingMessage(refused) ?? (refused ? undefined : loaderData.problem);
  const { errors, ...listeners } = useFieldErrors(refused?.fields, (form) =>
    missing(form, ["email", "password"]),
  );
  return (
    <PostcardCard title="Sign In">
      <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
        {message ? <FormAlert text={message} /> : null}
        <input type="hidden" name="returnTo" value={returnTo} />
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          dir="ltr"
          required
          defaultValue={refused?.email}
          error={errors["email"]}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={errors["password"]}
        />
        <Button type="submit" look="primary" pending={pending} className="mt-2 w-full">
          Sign In
        </Button>
        <MailedLinks mailLeaves={loaderData.mailLeaves} returnTo={returnTo} />
      </Form>
      {loaderData.passkeys ? <PasskeyButton to={returnTo} /> : null}
      <ProviderSignIn providers={loaderData.providers} returnTo={returnTo} />
      <OtherForm
        question="New here?"
        to={withReturn("/signUp", returnTo)}
        label="Create your account"
      />
      <LoadingGate active={pending} text="Signing you in" />
      {actionData?.signedIn ? (
        <SignedInDialog text="Signed In Successfully" to={actionData.to} />
      ) : null}
    </PostcardCard>
  );
}
