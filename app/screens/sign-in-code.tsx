import { redirect, useNavigation, useSearchParams } from "react-router";
import * as words from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { CardForm, CardLink } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { signsIn } from "#app/features/identity/signs-in.server.ts";
import { untilDialogIsRead } from "#app/features/identity/until-dialog-is-read.ts";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { useProblemMessage } from "#app/lib/page/problem-message.ts";
import { returnParameter, safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-in-code";

export const meta = pageMeta(identity.signIn);

const look = "link inline-flex min-h-11 items-center font-medium text-base-content";

/** No redirect where no sign-in is pending: it would replace the answer to the last code. */
export async function loader({ context }: Route.LoaderArgs) {
  const { viewer, features, client } = context.get(appContext);
  if (viewer) throw redirect("/");
  return { waiting: await features.identity.signIn.owesCode(client) };
}

export const shouldRevalidate = untilDialogIsRead;

export const action = formAction({
  [unnamed]: form(({ session }) => session.enterCode, { ...signsIn, restores: [] }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, {});

export default function SignInCode({ loaderData, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formData !== undefined;
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get(returnParameter));
  const recovery = query.get("with") === "recovery";
  if (!loaderData.waiting && !actionData) {
    return (
      <PostcardCard title={identity.signIn} line={words.noSignInWaiting}>
        <CardLink to={withReturn("/signIn", returnTo)}>{identity.signIn}</CardLink>
      </PostcardCard>
    );
  }
  return (
    <PostcardCard
      title={words.oneMoreStep}
      line={recovery ? words.enterRecoveryCode : words.enterAppCode}
    >
      <CodeForm problem={refusalIn(actionData)?.problem} {...{ recovery, returnTo }} />
      <OtherWays recovery={recovery} returnTo={returnTo} />
      <LoadingGate active={pending} text={identity.signingYouIn} />
      {actionData && "to" in actionData ? (
        <SignedInDialog text={identity.signedIn} to={actionData.to} />
      ) : null}
    </PostcardCard>
  );
}

type Props = { recovery: boolean; returnTo: string };

type CodeFormProps = Props & { problem: Parameters<typeof useProblemMessage>[0] };

function CodeForm({ recovery, returnTo, problem }: CodeFormProps) {
  const message = useProblemMessage(problem);
  const { errors, ...listeners } = useFieldErrors(problem?.fields, (form) =>
    missing(form, ["code"]),
  );
  return (
    <CardForm problem={{ message }} button={identity.signIn} {...listeners}>
      <input type="hidden" name="returnTo" value={returnTo} />
      <TextField
        key={recovery ? "recovery" : "app"}
        label={recovery ? words.recoveryCode : words.codeFromApp}
        name="code"
        autoComplete="one-time-code"
        inputMode={recovery ? "text" : "numeric"}
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={40}
        dir="ltr"
        required
        // The one thing to do here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        error={errors["code"]}
      />
    </CardForm>
  );
}

function OtherWays({ recovery, returnTo }: Props) {
  const other = withReturn("/signIn/code", returnTo);
  return (
    <div className="-mt-3 text-center text-sm text-muted">
      <p>
        {rich(recovery ? words.foundPhone : words.noPhone, {
          link: (text) => (
            <Link
              to={recovery ? other : `${other}${other.includes("?") ? "&" : "?"}with=recovery`}
              replace
              className={look}
            >
              {text}
            </Link>
          ),
        })}
      </p>
      <Link to={withReturn("/signIn", returnTo)} className={look}>
        {words.startAgain}
      </Link>
    </div>
  );
}
