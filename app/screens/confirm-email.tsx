import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { CardForm, CardLink } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { EmailAddress } from "#app/features/identity/verification/email-address.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import {
  doneByLink,
  linkAnswer,
  linkPageMeta,
  onlyOnce,
} from "#app/features/identity/verification/link-page.ts";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { counted, rich } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import type { Route } from "./+types/confirm-email";

export const meta = pageMeta(words.confirmYourEmail, linkPageMeta);

/** A GET confirms nothing: mail servers follow every link they see. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { features, viewer } = context.get(appContext);
  const asked = await features.verification.confirmationOf(params.token, viewer);
  return linkAnswer(asked && { ...asked, own: viewer?.username === asked.username });
}

export const shouldRevalidate = onlyOnce;

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
  const title = words.confirmYourEmail;
  if (actionData && "confirmed" in actionData) return <Done {...actionData.confirmed} />;
  const problem = refusalIn(actionData)?.problem;
  if (!asked || problem?.code === "link-used") {
    return <ExpiredLink title={title} to="/settings/email" label={words.askForNewLink} />;
  }
  return (
    <PostcardCard title={title}>
      <p className="text-pretty">
        {rich(words.isItYours, {
          email: <EmailAddress>{asked.email}</EmailAddress>,
          username: (
            <span dir="ltr" className="font-medium">
              @{asked.username}
            </span>
          ),
        })}
      </p>
      {asked.asks === "sign-in" ? (
        <SignInFirst returnTo={`/verify/${params.token}`} />
      ) : (
        <ConfirmForm asksPassword={asked.asks === "password"} refused={problem} />
      )}
      <p className="-mt-3 text-sm text-pretty text-muted">
        {asked.own || asked.asks !== "nothing" ? words.unknownAccount : words.onlyIfYours}
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
  const { errors, ...listeners } = useFieldErrors(refused?.fields, (form) =>
    missing(form, asksPassword ? ["password"] : []),
  );
  return (
    <CardForm problem={refused} button={words.confirm} {...listeners}>
      {asksPassword ? (
        <PasswordField
          label={identity.password}
          hint={words.passwordHereHint}
          error={errors["password"]}
        />
      ) : null}
    </CardForm>
  );
}

/** An account without a password has another way to prove whose it is. */
function SignInFirst({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p className="text-pretty">{words.signInFirst}</p>
      <CardLink to={withReturn("/signIn", returnTo)}>{identity.signIn}</CardLink>
    </>
  );
}

type Confirmed = Extract<Route.ComponentProps["actionData"], { confirmed: object }>["confirmed"];
type TakeOver = NonNullable<Confirmed["takeOver"]>;

function Done({ email, takeOver }: Confirmed) {
  return (
    <PostcardCard title={words.emailIsConfirmed}>
      <p role="status">
        {rich(words.isYourAddress, { email: <EmailAddress>{email}</EmailAddress> })}
      </p>
      {takeOver ? <Before {...takeOver} /> : null}
      <CardLink to="/">{takeOver ? words.allMine : words.goOn}</CardLink>
    </PostcardCard>
  );
}

/** Somebody else may have signed up with this address: the password they set still works. */
function Before({ password, passkeys, providers, path }: TakeOver) {
  const methods = [
    ...(password ? [words.aPassword] : []),
    ...(passkeys > 0 ? [counted(words.somePasskeys, passkeys)] : []),
    ...providers,
  ];
  return (
    <>
      <div className="grid gap-2">
        <p className="text-pretty">{words.setUpBefore}</p>
        <ul className="list-disc ps-6">
          {methods.map((method) => (
            <li key={method}>{method}</li>
          ))}
        </ul>
        <p className="text-pretty">{words.removeIfNotYours}</p>
      </div>
      <ButtonLink to={path} className="w-full">
        {words.removeAndChoose}
      </ButtonLink>
    </>
  );
}
