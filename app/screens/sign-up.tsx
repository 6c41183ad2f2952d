import { useState } from "react";
import { data, Form, redirect, useNavigation, useSearchParams } from "react-router";
import { refuseEarly } from "#shared/early-refusals.ts";
import { isRefusal, type FieldErrors, type Refusal } from "#shared/errors.ts";
import { passwordLengthProblem, passwordRule } from "#shared/passwords.ts";
import { EmailInUseDialog } from "#app/features/identity/email-in-use.tsx";
import { FollowChoice } from "#app/features/identity/follow-choice.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PicturePicker } from "#app/features/identity/picture-picker.tsx";
import { OtherForm } from "#app/features/identity/other-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { ProviderSignIn } from "#app/features/identity/provider-sign-in.tsx";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { unlessAway } from "#app/features/identity/unless-away.ts";
import { untilDialogIsRead } from "#app/features/identity/until-dialog-is-read.ts";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { usePassingMessage } from "#app/lib/page/passing-message.ts";
import { titled } from "#app/lib/page/place.ts";
import { refusedInit } from "#app/lib/refusals.server.ts";
import { followParameter, invitationParameter, problemIn } from "#app/lib/provider-paths.ts";
import { returnParameter, safeReturnPath, withReturn } from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-up.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Sign Up") }, about];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  if (viewer) throw redirect("/");
  const invitation =
    new URL(request.url).searchParams.get(invitationParameter)?.slice(0, 200) ?? "";
  const refused = await features.invitations.problemOf(invitation);
  return {
    providers: features.providers.list(),
    mode: await features.invitations.mode(),
    invitation,
    refused: refused === null ? undefined : { invitation: refused },
    follow: await accountToFollow(features, request.url),
    problem: problemIn(request.url),
  };
}

/** Whom a link names: the page shows them before anything is done, and a name that is nobody's says nothing. */
async function accountToFollow({ profiles }: PageContext["features"], url: string) {
  const id = new URL(url).searchParams.get(followParameter);
  return id ? ((await profiles.get(null, id))?.account ?? null) : null;
}

export const shouldRevalidate = untilDialogIsRead;

type Typed = { email?: string; firstName?: string; secondName?: string; invitation?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, client, readForm } = context.get(appContext);
  if (viewer) throw redirect("/");
  let typed: Typed = {};
  try {
    const { fields, file } = await readForm(request, { maxFiles: 1 });
    const {
      email = "",
      password = "",
      firstName = "",
      secondName = "",
      returnTo,
      invitation,
      follow,
    } = fields;
    typed = { email, firstName, secondName, ...(invitation === undefined ? {} : { invitation }) };
    const { viewer: member, cookies } = await features.identity.signUp.withPassword({
      email,
      password,
      firstName,
      secondName,
      picture: file("picture"),
      invitation: invitation ?? null,
      client,
    });
    if (follow) await features.follows.followOnArrival(member, follow);
    const to = safeReturnPath(returnTo);
    return data({ signedIn: true as const, to }, { headers: setCookies(cookies) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ signedIn: false as const, typed, ...refused(error) }, refusedInit(error));
  }
}

/** Errors beside their fields, a dialog for an email in use, one sentence for everything else. */
function refused({ code, message, fields }: Refusal) {
  const emailInUse = code === "email-in-use";
  if (code.startsWith("picture-")) {
    const literal = refuseEarly("picture-required").message;
    const reason = message === literal ? fields : { picture: message };
    return { emailInUse, fields: reason, message: literal };
  }
  return { emailInUse, fields, message: emailInUse || fields ? undefined : message };
}

const check = (form: FormData): FieldErrors => {
  const asked = form.has("invitation") ? ["invitation"] : [];
  const errors = missing(form, ["picture", ...asked, "email", "password"]);
  const problem = errors["password"] ?? passwordLengthProblem(String(form.get("password")));
  return problem ? { ...errors, password: problem } : errors;
};

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return unlessAway(serverAction(), { typed: {} as Typed, emailInUse: false });
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const answer = actionData?.signedIn === false ? actionData : undefined;
  const pending = useNavigation().formData !== undefined;
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get(returnParameter));
  const message = usePassingMessage(answer) ?? (answer ? undefined : loaderData.problem);
  const [invitation, setInvitation] = useState(answer?.typed.invitation ?? loaderData.invitation);
  const [follows, setFollows] = useState(true);
  const [tooHeavy, setTooHeavy] = useState(false);
  const { errors, onSubmit, onChange } = useFieldErrors(
    answer ? answer.fields : loaderData.refused,
    check,
  );
  const pictureError = tooHeavy ? refuseEarly("picture-too-heavy").message : errors["picture"];
  const signIn = (
    <OtherForm
      question="Already have an account?"
      to={withReturn("/signIn", returnTo)}
      label="Sign In"
    />
  );
  if (loaderData.mode === "closed") {
    return (
      <PostcardCard
        title="Sign Up"
        line={<p className="text-muted">This Postcard isn't accepting new accounts right now.</p>}
      >
        {signIn}
      </PostcardCard>
    );
  }
  return (
    <>
      <Form
        method="post"
        encType="multipart/form-data"
        noValidate
        onChange={onChange}
        onSubmit={(event) => {
          onSubmit(event);
          if (missing(new FormData(event.currentTarget), ["picture"])["picture"]) {
            notify.error(refuseEarly("picture-required").message);
          }
        }}
      >
        <PostcardCard
          title="Sign Up"
          line={
            <>
              <p className="text-muted">Your picture goes where the stamp is.</p>
              <FieldError id="picture" error={pictureError} />
            </>
          }
          stamp={<PicturePicker id="picture" error={pictureError} onTooHeavy={setTooHeavy} />}
        >
          <div className="flex flex-col gap-4">
            {message ? <FormAlert text={message} /> : null}
            <input type="hidden" name="returnTo" value={returnTo} />
            {loaderData.follow ? (
              <FollowChoice account={loaderData.follow} checked={follows} onChange={setFollows} />
            ) : null}
            {loaderData.mode === "invitation" ? (
              <TextField
                label="Invitation"
                name="invitation"
                autoComplete="off"
                spellCheck={false}
                dir="ltr"
                required
                hint="You need an invitation to sign up: use the code in the link you were sent."
                value={invitation}
                onChange={(event) => setInvitation(event.target.value)}
                error={errors["invitation"]}
              />
            ) : null}
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="First name"
                name="firstName"
                autoComplete="given-name"
                optional
                defaultValue={answer?.typed.firstName}
                error={errors["firstName"]}
              />
              <TextField
                label="Second name"
                name="secondName"
                autoComplete="family-name"
                optional
                defaultValue={answer?.typed.secondName}
                error={errors["secondName"]}
              />
            </div>
            <TextField
              label="Email"
              name="email"
              type="email"
              autoComplete="username"
              inputMode="email"
              dir="ltr"
              required
              hint="Only you can see it, unless you choose to share it."
              defaultValue={answer?.typed.email}
              error={errors["email"]}
            />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="new-password"
              required
              hint={passwordRule}
              error={errors["password"]}
            />
            <p className="text-sm text-muted">
              By signing up you agree to the{" "}
              <a href="/rules" target="_blank" className="link">
                rules of this place
              </a>
              .
            </p>
            <Button type="submit" look="primary" pending={pending} className="mt-2 w-full">
              Sign Up
            </Button>
          </div>
          <ProviderSignIn
            providers={loaderData.providers}
            returnTo={returnTo}
            invitation={invitation}
            follow={(follows && loaderData.follow?.id) || ""}
          />
          {signIn}
        </PostcardCard>
      </Form>
      <LoadingGate active={pending} text="Creating your account" />
      {answer?.emailInUse ? <EmailInUseDialog answer={answer} /> : null}
      {actionData?.signedIn ? (
        <SignedInDialog text="Account created Successfully" to={actionData.to} />
      ) : null}
    </>
  );
}
