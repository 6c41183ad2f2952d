import type { FieldErrors } from "#shared/errors.ts";
import * as words from "#messages/security.json";
import {
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { missing } from "#app/lib/forms/form-errors.ts";
import { passwordLengthText, passwordRuleText } from "#app/features/identity/password-text.ts";
import { Submit } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Props = FormProps & {
  email: string;
  /** false for an account that was created through an identity provider */
  hasPassword: boolean;
  /** number of connected apps */
  connectedApps: number;
};

/** The current password and the new one; for an account without a password its first. */
export function PasswordForm({ email, hasPassword, connectedApps, returned, feedback }: Props) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["password"],
    returned,
    feedback,
    leaves: true,
    check,
  });

  function check(fields: FormData): FieldErrors {
    const problem = passwordLengthText(String(fields.get("password")));
    return {
      ...(problem ? { password: problem } : {}),
      ...missing(fields, hasPassword ? ["currentPassword", "password"] : ["password"]),
    };
  }

  return (
    <form {...form} className="grid gap-4">
      <input type="hidden" name="change" value="password" />
      {/* Shows password managers whose password this is. */}
      <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
      {hasPassword ? (
        <PasswordField
          label={words.currentPassword}
          name="currentPassword"
          error={errors["currentPassword"]}
        />
      ) : null}
      <PasswordField
        label={words.newPassword}
        autoComplete="new-password"
        hint={passwordRuleText()}
        error={errors["password"]}
      />
      {connectedApps > 0 ? (
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name="endApps" className="checkbox checkbox-primary" />
          {words.disconnectApps}
        </label>
      ) : null}
      <Submit pending={saving !== null} className="justify-self-start">
        {hasPassword ? words.changePassword : words.setPassword}
      </Submit>
    </form>
  );
}
