import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/account.json";
import { signIn } from "#messages/identity.json";
import { CardForm, CardLink } from "#app/features/identity/card-form.tsx";
import { passwordLengthText, passwordRuleText } from "#app/features/identity/password-text.ts";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { ExpiredLink } from "#app/features/identity/verification/expired-link.tsx";
import { LinkOwner } from "#app/features/identity/verification/link-owner.tsx";
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
import { PasswordField } from "#app/ui/password-field.tsx";
import type { Route } from "./+types/reset-password";

export const meta = pageMeta(words.chooseNewPassword, linkPageMeta);

export async function loader({ context, params }: Route.LoaderArgs) {
  const { verification } = context.get(appContext).features;
  return linkAnswer(await verification.resetLinkOf(params.token));
}

export const shouldRevalidate = onlyOnce;

export const action = formAction({
  [unnamed]: act(async ({ features }, { params: { token = "" }, fields: { password = "" } }) => {
    await features.verification.resetPassword({ token, password });
    return doneByLink({ done: true });
  }),
});

export default function ResetPassword({ loaderData: owner, actionData }: Route.ComponentProps) {
  const problem = refusalIn(actionData)?.problem;
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check);
  if (actionData && !problem) return <Done />;
  if (!owner || problem?.code === "link-used") {
    return (
      <ExpiredLink
        title={words.chooseNewPassword}
        to="/signIn/forgot"
        label={words.askForNewLink}
      />
    );
  }
  return (
    <PostcardCard
      title={words.chooseNewPassword}
      line={
        <>
          <LinkOwner {...owner} />
          <p className="text-muted">{words.chooseNewPasswordText}</p>
        </>
      }
    >
      <CardForm problem={problem} button={words.saveNewPassword} {...listeners}>
        <PasswordField
          label={words.newPassword}
          autoComplete="new-password"
          hint={passwordRuleText()}
          error={errors["password"]}
        />
      </CardForm>
    </PostcardCard>
  );
}

function Done() {
  return (
    <PostcardCard title={words.newPasswordSet}>
      <p role="status">{words.newPasswordSetText}</p>
      <CardLink to="/signIn">{signIn}</CardLink>
    </PostcardCard>
  );
}

function check(form: FormData): FieldErrors {
  const empty = missing(form, ["password"]);
  const problem = empty["password"] ?? passwordLengthText(String(form.get("password")));
  return problem ? { password: problem } : {};
}
