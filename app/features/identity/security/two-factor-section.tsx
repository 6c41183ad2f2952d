import { useState } from "react";
import type { TwoFactorStatus } from "#shared/views.ts";
import type { SecurityAnswer } from "#app/features/identity/security/change-security.server.ts";
import { RecoveryCodes } from "#app/features/identity/security/recovery-codes.tsx";
import { SecuritySection } from "#app/features/identity/security/security-section.tsx";
import { TotpSetupForm } from "#app/features/identity/security/totp-setup-form.tsx";
import {
  useSecurityForm,
  type Returned,
} from "#app/features/identity/security/use-security-form.ts";
import { missing } from "#app/lib/forms/form-errors.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Props = {
  status: TwoFactorStatus;
  hasPassword: boolean;
  returned: Returned | undefined;
};

/** Codes of an authenticator app after the password: set up, turned off, with recovery codes. */
export function TwoFactorSection({ status, hasPassword, returned }: Props) {
  const brought = returned?.saved?.setup ?? returned?.setup ?? null;
  const [setup, setSetup] = useState(brought);
  const [codes, setCodes] = useState(returned?.saved?.recoveryCodes ?? null);

  function onSaved(answer: SecurityAnswer) {
    setSetup(answer.setup ?? null);
    setCodes(answer.recoveryCodes ?? null);
  }

  return (
    <SecuritySection title="Two-step sign-in" about={<About status={status} />}>
      {codes ? <RecoveryCodes codes={codes} onKept={() => setCodes(null)} /> : null}
      {status.on ? (
        <WhileOn {...{ hasPassword, returned, onSaved }} />
      ) : setup ? (
        <TotpSetupForm
          key={setup.uri}
          {...{ setup, returned, onSaved }}
          onCancel={() => setSetup(null)}
        />
      ) : (
        <WhileOff {...{ hasPassword, returned, onSaved }} />
      )}
    </SecuritySection>
  );
}

function About({ status }: { status: TwoFactorStatus }) {
  const timeZone = useTimeZone();
  if (!status.on || status.since === null) {
    return "A code from an app on your phone, asked for after your password. A stolen password isn't enough.";
  }
  const { recoveryCodesLeft: left } = status;
  const codes = left === 1 ? "1 recovery code is" : `${left || "No"} recovery codes are`;
  return `On since ${dateInWords(status.since, timeZone)}. ${codes} left.`;
}

type FormProps = Omit<Props, "status"> & { onSaved: (answer: SecurityAnswer) => void };

function WhileOff({ hasPassword, returned, onSaved }: FormProps) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["two-factor-begin"],
    returned,
    onSaved,
    check: (fields) => (hasPassword ? missing(fields, ["password"]) : {}),
  });
  return (
    <form {...form} className="grid gap-4 border-t border-line p-4">
      <input type="hidden" name="change" value="two-factor-begin" />
      {hasPassword ? <CurrentPassword error={errors["password"]} /> : null}
      <Button type="submit" pending={saving !== null} className="justify-self-start">
        Set up
      </Button>
    </form>
  );
}

function WhileOn({ hasPassword, returned, onSaved }: FormProps) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["two-factor-codes", "two-factor-off"],
    returned,
    onSaved,
    check: (fields) => (hasPassword ? missing(fields, ["password"]) : {}),
  });
  return (
    <form {...form} className="grid gap-4 border-t border-line p-4">
      {hasPassword ? <CurrentPassword error={errors["password"]} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          name="change"
          value="two-factor-codes"
          pending={saving === "two-factor-codes"}
        >
          New recovery codes
        </Button>
        <Button
          type="submit"
          name="change"
          value="two-factor-off"
          look="danger"
          pending={saving === "two-factor-off"}
        >
          Turn off
        </Button>
      </div>
    </form>
  );
}

function CurrentPassword({ error }: { error: string | undefined }) {
  return (
    <PasswordField
      label="Your password"
      name="password"
      autoComplete="current-password"
      required
      error={error}
    />
  );
}
