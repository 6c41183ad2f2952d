import { data, Form, useNavigation } from "react-router";
import { isRefusal, type FieldErrors } from "#shared/errors.ts";
import { passwordLengthProblem, passwordRule } from "#shared/passwords.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { LinkGone } from "#app/features/identity/verification/link-gone.tsx";
import { LinkOwner } from "#app/features/identity/verification/link-owner.tsx";
import { linkAnswer, linkPageMeta } from "#app/features/identity/verification/link-page.ts";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { titled } from "#app/lib/page/place.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import type { Route } from "./+types/reset-password.ts";

export const meta: Route.MetaFunction = () => [
  { title: titled("Choose a new password") },
  about,
  linkPageMeta,
];

export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.resetLinkOf(params.token));
}

/** What was done is not looked at again: the link is gone now, as it should be. */
export function shouldRevalidate() {
  return false;
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { features, readForm } = context.get(appContext);
  const { password = "" } = (await readForm(request)).fields;
  try {
    await features.verification.resetPassword({ token: params.token, password });
    return data({ done: true as const }, 200);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, fields, message, status } = error;
    return data({ done: false as const, gone: code === "link-used", fields, message }, status);
  }
}

export default function ResetPassword({ loaderData: owner, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formData !== undefined;
  const refused = actionData?.done === false ? actionData : undefined;
  const { errors, ...listeners } = useFieldErrors(refused?.fields, check);
  if (actionData?.done) return <Done />;
  if (!owner || refused?.gone) {
    return (
      <LinkGone title="Choose a new password" to="/signIn/forgot" label="Ask for a new link" />
    );
  }
  return (
    <PostcardCard
      title="Choose a new password"
      line={
        <>
          <LinkOwner {...owner} />
          <p className="text-muted">
            This signs you out everywhere. Then sign in with the new password.
          </p>
        </>
      }
    >
      <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
        {refused && !refused.fields ? <FormAlert text={refused.message} /> : null}
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          required
          hint={passwordRule}
          error={errors["password"]}
        />
        <Button type="submit" look="primary" pending={pending} className="mt-2 w-full">
          Save the new password
        </Button>
      </Form>
    </PostcardCard>
  );
}

function Done() {
  return (
    <PostcardCard title="Your new password is set">
      <p role="status">You've been signed out everywhere. Sign in with your new password.</p>
      <ButtonLink to="/signIn" look="primary" className="w-full">
        Sign In
      </ButtonLink>
    </PostcardCard>
  );
}

function check(form: FormData): FieldErrors {
  const empty = missing(form, ["password"]);
  const problem = empty["password"] ?? passwordLengthProblem(String(form.get("password")));
  return problem ? { password: problem } : {};
}
