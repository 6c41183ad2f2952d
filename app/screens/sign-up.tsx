import { useMemo, useState, type ReactNode } from "react";
import { data, Form, redirect, useNavigation, useSearchParams } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/identity.json";
import { EmailInUseDialog } from "#app/features/identity/email-in-use.tsx";
import { FollowChoice } from "#app/features/identity/follow-choice.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { AvatarPicker } from "#app/features/identity/avatar-picker.tsx";
import { OtherForm } from "#app/features/identity/other-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { passwordLengthText, passwordRuleText } from "#app/features/identity/password-text.ts";
import { ProviderSignIn } from "#app/features/identity/provider-sign-in.tsx";
import { shownOf } from "#app/features/identity/sign-up-problem.ts";
import { SignedInDialog } from "#app/features/identity/signed-in.tsx";
import { UsernameField } from "#app/features/identity/username-field.tsx";
import { untilDialogIsRead } from "#app/features/identity/until-dialog-is-read.ts";
import { LoadingGate } from "#app/features/identity/loading-gate.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { useProblemMessage } from "#app/lib/page/problem-message.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";
import { invitationParameter, problemIn } from "#app/lib/provider-paths.ts";
import { rich } from "#app/lib/text/messages.tsx";
import {
  followParameter,
  returnParameter,
  safeReturnPath,
  withReturn,
} from "#app/lib/return-path.ts";
import { notify } from "#app/lib/toasts.ts";
import { Submit } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { EmailField, noWord, TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/sign-up";

export const meta = pageMeta(words.signUp);

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
    problem: problemIn(request.url, inLanguage),
  };
}

/** The account a link names: the page shows it before anything is done, and an unknown name is ignored. */
async function accountToFollow({ profiles }: PageContext["features"], url: string) {
  const id = new URL(url).searchParams.get(followParameter);
  return id ? ((await profiles.get(null, id))?.account ?? null) : null;
}

export const shouldRevalidate = untilDialogIsRead;

export const action = formAction(
  {
    [unnamed]: act(
      async ({ viewer, features, client }, { fields, file, back }) => {
        if (viewer) return redirect("/");
        const { email = "", password = "", firstName = "", secondName = "", follow } = fields;
        const { username = "", invitation = null } = fields;
        const { viewer: member, cookies } = await features.identity.signUp.withPassword({
          email,
          password,
          firstName,
          secondName,
          username,
          picture: file("picture"),
          invitation,
          client,
        });
        if (follow) await features.follows.followOnArrival(member, follow);
        return data({ signedIn: true as const, to: back }, { headers: setCookies(cookies) });
      },
      ["email", "firstName", "secondName", "username", "invitation"],
    ),
  },
  { maxFiles: 1 },
);

const check = (form: FormData): FieldErrors => {
  const asked = form.has("invitation") ? ["invitation"] : [];
  const errors = missing(form, ["picture", ...asked, "email", "password"]);
  const problem = errors["password"] ?? passwordLengthText(String(form.get("password")));
  return problem ? { ...errors, password: problem } : errors;
};

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: {} as Typed });

type Typed = {
  [Name in "email" | "firstName" | "secondName" | "username" | "invitation"]?: string;
};
export default function SignUp(props: Route.ComponentProps) {
  const returnTo = safeReturnPath(useSearchParams()[0].get(returnParameter));
  const signIn = (
    <OtherForm
      question={words.haveAccount}
      to={withReturn("/signIn", returnTo)}
      label={words.signIn}
    />
  );
  if (props.loaderData.mode !== "closed") {
    return <SignUpForm {...props} returnTo={returnTo} signIn={signIn} />;
  }
  return (
    <PostcardCard title={words.signUp} line={<p className="text-muted">{words.closed}</p>}>
      {signIn}
    </PostcardCard>
  );
}

type Props = Route.ComponentProps & { returnTo: string; signIn: ReactNode };

function SignUpForm({ loaderData, actionData, returnTo, signIn }: Props) {
  const refused = refusalIn(actionData);
  const problem = refused?.problem;
  const shown = useMemo(() => problem && shownOf(problem), [problem]);
  const pending = useNavigation().formData !== undefined;
  const message =
    useProblemMessage(problem, shown?.message) ?? (problem ? undefined : loaderData.problem);
  const [invitation, setInvitation] = useState(refused?.typed.invitation ?? loaderData.invitation);
  const [follows, setFollows] = useState(true);
  const [tooHeavy, setTooHeavy] = useState(false);
  const { errors, onSubmit, onChange } = useFieldErrors(
    shown ? shown.fields : loaderData.refused,
    check,
  );
  const avatarError = tooHeavy ? words.pictureTooHeavy : errors["picture"];
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
            notify.error(words.pictureRequired);
          }
        }}
      >
        <PostcardCard
          title={words.signUp}
          line={
            <>
              <p className="text-muted">{words.pictureLine}</p>
              <FieldError id="picture" error={avatarError} />
            </>
          }
          stamp={<AvatarPicker id="picture" error={avatarError} onTooHeavy={setTooHeavy} />}
        >
          <div className="flex flex-col gap-4">
            {message ? <FormAlert text={message} /> : null}
            <input type="hidden" name="returnTo" value={returnTo} />
            {loaderData.follow ? (
              <FollowChoice account={loaderData.follow} checked={follows} onChange={setFollows} />
            ) : null}
            {loaderData.mode === "invitation" ? (
              <TextField
                label={words.invitation}
                name="invitation"
                autoComplete="off"
                {...noWord}
                required
                hint={words.invitationHint}
                value={invitation}
                onChange={(event) => setInvitation(event.target.value)}
                error={errors["invitation"]}
              />
            ) : null}
            <WhoFields typed={refused?.typed} errors={errors} />
            <Submit pending={pending} className="mt-2 w-full">
              {words.signUp}
            </Submit>
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
      <LoadingGate active={pending} text={words.creating} />
      {problem?.code === "email-in-use" ? <EmailInUseDialog answer={problem} /> : null}
      {actionData && "to" in actionData ? (
        <SignedInDialog text={words.created} to={actionData.to} />
      ) : null}
    </>
  );
}

const names = [
  { name: "firstName", label: words.firstName, autoComplete: "given-name" },
  { name: "secondName", label: words.secondName, autoComplete: "family-name" },
] as const;

/** Names, email and password. */
function WhoFields({ typed, errors }: { typed: Typed | undefined; errors: FieldErrors }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {names.map(({ name, ...field }) => (
          <TextField
            key={name}
            name={name}
            {...field}
            optional
            defaultValue={typed?.[name]}
            error={errors[name]}
          />
        ))}
      </div>
      <UsernameField typed={typed?.username} error={errors["username"]} />
      <EmailField
        label={words.email}
        hint={words.emailHint}
        defaultValue={typed?.email}
        error={errors["email"]}
      />
      <PasswordField
        label={words.password}
        autoComplete="new-password"
        hint={passwordRuleText()}
        error={errors["password"]}
      />
      <p className="text-sm text-pretty text-muted">
        {rich(words.agree, {
          rules: (text) => (
            <a href="/rules" target="_blank" className="link">
              {text}
            </a>
          ),
        })}
      </p>
    </>
  );
}
