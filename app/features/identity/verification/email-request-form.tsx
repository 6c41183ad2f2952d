import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/identity.json";
import { CardForm } from "#app/features/identity/card-form.tsx";
import { PostcardCard } from "#app/features/identity/postcard-card.tsx";
import { emailText, mailSentText } from "#app/features/identity/verification/mail-texts.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { missing, refusalIn, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { EmailField } from "#app/ui/text-field.tsx";
import { Link } from "#app/ui/link.tsx";

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
        <CardForm problem={problem} button={button} {...listeners}>
          <input type="hidden" name="returnTo" value={returnTo} />
          <EmailField
            label={words.email}
            defaultValue={refused?.typed.email}
            error={errors["email"]}
          />
        </CardForm>
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
