import * as words from "#messages/data.json";
import { limits } from "#shared/limits.ts";
import { usernameOf } from "#shared/usernames.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";
import { linkTo } from "#app/ui/text-link.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { noWord, TextField } from "#app/ui/text-field.tsx";

type Props = {
  username: string;
  /** false: the account has no password, a fresh sign-in is enough */
  asksPassword: boolean;
  /** the only operator: nobody else could run the site */
  lastOperator: boolean;
  /** the answer to a submit */
  returned: Refused<"username"> | undefined;
};

/**
 * Asks for the deletion of the account. It submits as a document, with scripts too, since nothing of the
 * member may stay in the page's memory after it.
 */
export function DeleteAccount({ username, asksPassword, lastOperator, returned }: Props) {
  const problem = returned?.problem;
  const { errors, ...listeners } = useFieldErrors(problem?.fields, (form) => {
    const empty = missing(form, asksPassword ? ["username", "password"] : ["username"]);
    const typed = usernameOf(String(form.get("username")));
    return typed === username || empty["username"]
      ? empty
      : { ...empty, username: fill(words.confirmUsername, { username }) };
  });
  const days = limits.deletionDays;
  return (
    <DataSection
      title={words.whatHappens}
      about={fill(words.deletionAbout, { days, backupDays: limits.backupDays })}
    >
      <form method="post" noValidate {...listeners} className="grid gap-4">
        {lastOperator ? (
          <p className="font-medium">
            {rich(words.onlyOperator, {
              operator: linkTo("/operator/people"),
            })}
          </p>
        ) : null}
        {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
        <TextField
          name="username"
          label={fill(words.typeUsername, { username })}
          {...noWord}
          autoComplete="off"
          required
          defaultValue={returned?.typed.username ?? ""}
          error={errors["username"]}
        />
        {asksPassword ? (
          <PasswordField label={words.yourPassword} error={errors["password"]} />
        ) : null}
        <Button type="submit" look="delete" className="justify-self-start">
          {words.deleteMyAccount}
        </Button>
      </form>
    </DataSection>
  );
}
