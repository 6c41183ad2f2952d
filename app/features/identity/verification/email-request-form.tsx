import { Form, Link, useNavigation } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/identity.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { emailText, mailSentText } from "#app/features/identity/verification/mail-texts.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField } from "#app/ui/text-field.tsx";

type Props = {
  title: string;
  /** what the mail is for */
  line: string;
  button: string;
  mailLeaves: boolean;
  /** the page one was going to */
  returnTo?: string;
  answer: { asked: boolean } | Refused<"email"> | undefined;
};

/** One field for an email, and the message after it was sent. */
export function EmailRequestForm(props: Props) {
  const { title, line, button, mailLeaves, returnTo = "/", answer } = props;
  const pending = useNavigation().formData !== undefined;
  const refused = refusalIn(answer);
  const asked = answer && !refused;
  const problem = refused?.problem;
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check);
  return (
    <PostcardCard title={title} line={asked ? null : <p className="text-muted">{line}</p>}>
      {asked ? (
        <p role="status" className="text-pretty">
          {mailSentText(mailLeaves)}
        </p>
      ) : (
        <Form method="post" noValidate className="flex flex-col gap-4" {...listeners}>
          {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
          <input type="hidden" name="returnTo" value={returnTo} />
          <EmailField
            label={words.email}
            defaultValue={refused?.typed.email}
            error={errors["email"]}
          />
          <Button type="submit" look="primary" pending={pending} className="mt-2 w-full">
            {button}
          </Button>
        </Form>
      )}
      <p className="-mt-3 text-center text-sm">
        <Link
          to={withReturn("/signIn", returnTo)}
          className="link inline-flex min-h-11 items-center font-medium"
        >
          {words.backToSignIn}
        </Link>
      </p>
    </PostcardCard>
  );
}

function check(form: FormData): FieldErrors {
  const empty = missing(form, ["email"]);
  const problem = empty["email"] ?? emailText(String(form.get("email")));
  return problem ? { email: problem } : {};
}
