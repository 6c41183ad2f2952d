import { Form, useNavigation } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { EmailAddress } from "#app/features/identity/verification/email-address.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import {
  doneByLink,
  linkAnswer,
  linkPageMeta,
} from "#app/features/identity/verification/link-page.ts";
import { metaDescription } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import type { Route } from "./+types/confirm-email";

export const meta: Route.MetaFunction = () => [
  { title: documentTitle("Confirm your email") },
  metaDescription,
  linkPageMeta,
];

/** A GET confirms nothing: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { features, viewer } = context.get(appContext);
  const asked = await features.verification.confirmationOf(params.token, viewer);
  return linkAnswer(asked && { ...asked, own: viewer?.username === asked.username });
}

/** After a confirmation the link is gone, as it should be. */
export function shouldRevalidate() {
  return false;
}

export const action = formAction({
  // With a password where the page asks for it.
  [unnamed]: act(async ({ features, viewer }, { params: { token = "" }, fields }) => {
    const { password = "" } = fields;
    const { verification } = features;
    return doneByLink({ confirmed: await verification.confirmEmail(token, { viewer, password }) });
  }),
});

export default function ConfirmEmail({
  loaderData: asked,
  actionData,
  params,
}: Route.ComponentProps) {
  const title = "Confirm your email";
  if (actionData && "confirmed" in actionData) return <Done {...actionData.confirmed} />;
  const problem = refusalIn(actionData)?.problem;
  if (!asked || problem?.code === "link-used") {
    return <ExpiredLink title={title} to="/settings/email" label="Ask for a new link" />;
  }
  return (
    <PostcardCard title={title}>
      <p className="text-pretty">
        Is <EmailAddress>{asked.email}</EmailAddress> the address of your account{" "}
        <span dir="ltr" className="font-medium">
          @{asked.username}
        </span>
        ?
      </p>
      {asked.asks === "sign-in" ? (
        <SignInFirst returnTo={`/verify/${params.token}`} />
      ) : (
        <ConfirmForm asksPassword={asked.asks === "password"} refused={problem} />
      )}
      <p className="-mt-3 text-sm text-pretty text-muted">
        {asked.own || asked.asks !== "nothing"
          ? "If you don't know this account, close this page. Nothing will change."
          : "You aren't signed in to this account here. Only confirm if you created it, or want to take it over from the person who did."}
      </p>
    </PostcardCard>
  );
}

type Refused = { message: string; fields?: FieldErrors | undefined };

function ConfirmForm({
  asksPassword,
  refused,
}: {
  asksPassword: boolean;
  refused: Refused | undefined;
}) {
  const pending = useNavigation().formData !== undefined;
  const { errors, ...listeners } = useFieldErrors(refused?.fields, (form) =>
    missing(form, asksPassword ? ["password"] : []),
  );
  return (
    <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
      {refused && !refused.fields ? <FormAlert text={refused.message} /> : null}
      {asksPassword ? (
        <PasswordField
          label="Password"
          hint="The password for this account. You aren't signed in to it here."
          error={errors["password"]}
        />
      ) : null}
      <Button type="submit" look="primary" pending={pending} className="w-full">
        Confirm
      </Button>
    </Form>
  );
}

/** An account without a password has another way to prove whose it is. */
function SignInFirst({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p className="text-pretty">Sign in to this account first, then confirm.</p>
      <ButtonLink to={withReturn("/signIn", returnTo)} look="primary" className="w-full">
        Sign In
      </ButtonLink>
    </>
  );
}

type Confirmed = Extract<Route.ComponentProps["actionData"], { confirmed: object }>["confirmed"];
type TakeOver = NonNullable<Confirmed["takeOver"]>;

function Done({ email, takeOver }: Confirmed) {
  return (
    <PostcardCard title="Your email is confirmed">
      <p role="status">
        <EmailAddress>{email}</EmailAddress> is the address of your account.
      </p>
      {takeOver ? <Before {...takeOver} /> : null}
      <ButtonLink to="/" look="primary" className="w-full">
        {takeOver ? "They're all mine" : "Continue"}
      </ButtonLink>
    </PostcardCard>
  );
}

/** Somebody else may have signed up with this address: the password they set still works. */
function Before({ password, passkeys, providers, path }: TakeOver) {
  const methods = [
    ...(password ? ["A password"] : []),
    ...(passkeys > 0 ? [passkeys === 1 ? "A passkey" : `${passkeys} passkeys`] : []),
    ...providers,
  ];
  return (
    <>
      <div className="grid gap-2">
        <p className="text-pretty">
          These were set up before the address was confirmed, and still work for signing in:
        </p>
        <ul className="list-disc ps-6">
          {methods.map((method) => (
            <li key={method}>{method}</li>
          ))}
        </ul>
        <p className="text-pretty">
          If you didn't set them all up yourself, someone else can get in. Remove them, sign out
          every device, and choose a new password.
        </p>
      </div>
      <ButtonLink to={path} className="w-full">
        Remove them and choose a new password
      </ButtonLink>
    </>
  );
}
