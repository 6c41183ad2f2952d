import { Form, useNavigation } from "react-router";
import type { EmailState } from "#shared/views.ts";
import * as words from "#messages/account.json";
import * as identity from "#messages/identity.json";
import { currentPassword } from "#messages/security.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { emailText } from "#app/features/identity/verification/mail-texts.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { Button } from "#app/ui/button.tsx";
import { linkTo } from "#app/ui/text-link.tsx";
import { CheckCircleIcon } from "#app/ui/icons.ts";
import { PasswordField } from "#app/ui/password-field.tsx";
import { EmailField } from "#app/ui/text-field.tsx";

type Asked = { asked: "resend" | "change" | "cancel"; email: string };
type Props = { state: EmailState; answer?: Asked | Refused<"email"> | undefined };

/**
 * A member's address: whether it is confirmed, a button to send the mail again, another address that waits
 * for confirmation, and the form for a new one.
 */
export function EmailSection({ state, answer }: Props) {
  const { email, verified, mailLeaves, pending } = state;
  return (
    <section
      aria-label={identity.email}
      className="mx-4 rounded-box border border-line bg-base-100 md:mx-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <div className="min-w-0">
          <p dir="ltr" className="at-page-start font-medium wrap-anywhere">
            {email}
          </p>
          <p className="flex items-center gap-1.5 text-sm text-muted">
            {verified ? <CheckCircleIcon className="size-4" aria-hidden /> : null}
            {verified ? words.emailConfirmed : words.emailUnconfirmed}
          </p>
        </div>
        {verified ? null : <Resend mailLeaves={mailLeaves} />}
      </div>
      {answer && "asked" in answer ? (
        <p role="status" className="border-t border-line px-4 py-3 text-pretty">
          {rich(sentence(answer, mailLeaves), { email: <bdi>{answer.email}</bdi> })}
        </p>
      ) : null}
      {pending ? <PendingChange {...pending} /> : null}
      <ChangeForm state={state} answer={answer} />
    </section>
  );
}

function sentence({ asked }: Asked, mailLeaves: boolean): string {
  if (asked === "cancel") return words.changeCancelled;
  return mailLeaves ? words.emailSent : words.emailLinkMade;
}

/** The owner sees it here and cancels a change that somebody else requested. */
function PendingChange({ email, askedAt }: NonNullable<EmailState["pending"]>) {
  const pending = useNavigation().formData?.get("change") === "cancel";
  return (
    <section
      aria-label={words.pendingChange}
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3"
    >
      <div className="min-w-0">
        <p className="text-sm text-muted">{words.waitingToBeConfirmed}</p>
        <p dir="ltr" className="at-page-start font-medium wrap-anywhere">
          {email}
        </p>
        <p className="text-sm text-muted">
          {rich(words.askedFor, { time: <PostTime at={askedAt} /> })}
        </p>
      </div>
      <Form method="post" action="/settings/email">
        <input type="hidden" name="change" value="cancel" />
        <Button type="submit" pending={pending}>
          {words.cancelChange}
        </Button>
      </Form>
      <p className="text-sm text-pretty text-muted">
        {rich(words.notAskedByYou, {
          password: linkTo("/settings/security"),
        })}
      </p>
    </section>
  );
}

function Resend({ mailLeaves }: Pick<EmailState, "mailLeaves">) {
  const pending = useNavigation().formData?.get("change") === "resend";
  return (
    <Form method="post" action="/settings/email">
      <input type="hidden" name="change" value="resend" />
      <Button type="submit" pending={pending}>
        {mailLeaves ? words.sendAgain : identity.askForLink}
      </Button>
    </Form>
  );
}

function ChangeForm({ state, answer }: Props) {
  const pending = useNavigation().formData?.get("change") === "email";
  const refused = refusalIn(answer);
  const problem = refused?.problem;
  const { errors, ...listeners } = useFieldErrors(problem?.fields, (form) => {
    const found = missing(form, state.asksPassword ? ["email", "password"] : ["email"]);
    const problem = found["email"] ?? emailText(String(form.get("email")));
    return problem ? { ...found, email: problem } : found;
  });
  return (
    <Form
      // a requested change leaves the fields empty
      key={answer && "asked" in answer && answer.asked === "change" ? answer.email : ""}
      method="post"
      action="/settings/email"
      noValidate
      className="flex flex-col gap-4 border-t border-line p-4"
      {...listeners}
    >
      {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
      <input type="hidden" name="change" value="email" />
      <EmailField
        label={words.newEmail}
        autoComplete="email"
        hint={state.mailLeaves ? words.newEmailHint : words.newEmailHintNoMail}
        defaultValue={refused?.typed.email}
        error={errors["email"]}
      />
      {state.asksPassword || errors["password"] ? (
        <PasswordField label={currentPassword} error={errors["password"]} />
      ) : null}
      <Button type="submit" pending={pending} className="self-start">
        {words.changeEmail}
      </Button>
    </Form>
  );
}
