import { Form, Link, useNavigation } from "react-router";
import type { EmailState } from "#shared/views.ts";
import { emailProblem } from "#shared/verification.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { Button } from "#app/ui/button.tsx";
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
    <section aria-label="Email" className="mx-4 rounded-box border border-line bg-base-100 md:mx-0">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
        <div className="min-w-0">
          <p dir="ltr" className="font-medium wrap-anywhere">
            {email}
          </p>
          <p className="flex items-center gap-1.5 text-sm text-muted">
            {verified ? <CheckCircleIcon className="size-4" aria-hidden /> : null}
            {verified ? "Confirmed" : "Not confirmed yet"}
          </p>
        </div>
        {verified ? null : <Resend mailLeaves={mailLeaves} />}
      </div>
      {answer && "asked" in answer ? (
        <p role="status" className="border-t border-line px-4 py-3 text-pretty">
          {sentence(answer, mailLeaves)}
        </p>
      ) : null}
      {pending ? <PendingChange {...pending} /> : null}
      <ChangeForm state={state} answer={answer} />
    </section>
  );
}

function sentence({ asked, email }: Asked, mailLeaves: boolean): string {
  if (asked === "cancel") return `The change is cancelled. Your address stays ${email}.`;
  return mailLeaves
    ? `We've sent an email to ${email}. Follow the link in it to confirm the address.`
    : `We've made a link for ${email}. This Postcard doesn't send email: ask the person who runs it for the link.`;
}

/** The owner sees it here and cancels a change that somebody else requested. */
function PendingChange({ email, askedAt }: NonNullable<EmailState["pending"]>) {
  const pending = useNavigation().formData?.get("change") === "cancel";
  return (
    <section
      aria-label="Pending change"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3"
    >
      <div className="min-w-0">
        <p className="text-sm text-muted">Waiting to be confirmed</p>
        <p dir="ltr" className="font-medium wrap-anywhere">
          {email}
        </p>
        <p className="text-sm text-muted">
          Asked for: <PostTime at={askedAt} />
        </p>
      </div>
      <Form method="post" action="/settings/email">
        <input type="hidden" name="change" value="cancel" />
        <Button type="submit" pending={pending}>
          Cancel the change
        </Button>
      </Form>
      <p className="text-sm text-pretty text-muted">
        If you didn't ask for this, cancel it and{" "}
        <Link to="/settings/security" className="link">
          choose a new password
        </Link>
        : someone may know yours.
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
        {mailLeaves ? "Send it again" : "Ask for a link"}
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
    const problem = found["email"] ?? emailProblem(String(form.get("email")));
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
        label="New email"
        autoComplete="email"
        hint={
          state.mailLeaves
            ? "It replaces the old one once you follow the link we send to it."
            : "It replaces the old one once you follow a link. This Postcard doesn't send email: ask the person who runs it for the link."
        }
        defaultValue={refused?.typed.email}
        error={errors["email"]}
      />
      {state.asksPassword || errors["password"] ? (
        <PasswordField label="Current password" error={errors["password"]} />
      ) : null}
      <Button type="submit" pending={pending} className="self-start">
        Change the email
      </Button>
    </Form>
  );
}
