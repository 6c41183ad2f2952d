import { useState } from "react";
import type { TwoFactorStatus } from "#shared/views.ts";
import * as words from "#messages/security.json";
import type { SecurityAnswer } from "#app/features/identity/security/change-security.server.ts";
import { RecoveryCodes } from "#app/features/identity/security/recovery-codes.tsx";
import { TotpSetupForm } from "#app/features/identity/security/totp-setup-form.tsx";
import {
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { missing } from "#app/lib/forms/form-errors.ts";
import { Button, Submit } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Props = FormProps & {
  status: TwoFactorStatus;
  /** the password was not given in the last minutes */
  asksPassword: boolean;
};

/** Codes of an authenticator app after the password: set up, turned off, with recovery codes. */
export function TwoFactorForms({ status, asksPassword, returned, feedback }: Props) {
  const brought = returned?.saved?.setup ?? returned?.setup ?? null;
  const [setup, setSetup] = useState(brought);
  const [codes, setCodes] = useState(returned?.saved?.recoveryCodes ?? null);

  function onSaved(answer: SecurityAnswer) {
    setSetup(answer.setup ?? null);
    setCodes(answer.recoveryCodes ?? null);
  }

  return (
    <>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : status.on ? (
        <WhileOn {...{ asksPassword, returned, onSaved, feedback }} />
      ) : setup ? (
        <TotpSetupForm
          key={setup.uri}
          {...{ setup, returned, onSaved, feedback }}
          onCancel={() => setSetup(null)}
        />
      ) : (
        <WhileOff {...{ asksPassword, returned, onSaved, feedback }} />
      )}
    </>
  );
}

type StateProps = Omit<Props, "status"> & { onSaved: (answer: SecurityAnswer) => void };

function WhileOff({ asksPassword, returned, onSaved, feedback }: StateProps) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["two-factor-begin"],
    returned,
    onSaved,
    feedback,
    check: (fields) => (asksPassword ? missing(fields, ["password"]) : {}),
  });
  return (
    <form {...form} className="grid gap-4">
      <input type="hidden" name="change" value="two-factor-begin" />
      {asksPassword || errors["password"] ? <CurrentPassword error={errors["password"]} /> : null}
      <Submit pending={saving !== null} className="justify-self-start">
        {words.setUp}
      </Submit>
    </form>
  );
}

function WhileOn({ asksPassword, returned, onSaved, feedback }: StateProps) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["two-factor-codes", "two-factor-off"],
    returned,
    onSaved,
    feedback,
    check: (fields) => (asksPassword ? missing(fields, ["password"]) : {}),
  });
  return (
    <form {...form} className="grid gap-4">
      {asksPassword || errors["password"] ? <CurrentPassword error={errors["password"]} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          name="change"
          value="two-factor-codes"
          pending={saving === "two-factor-codes"}
        >
          {words.newRecoveryCodes}
        </Button>
        <Button
          type="submit"
          name="change"
          value="two-factor-off"
          look="danger"
          pending={saving === "two-factor-off"}
        >
          {words.turnOff}
        </Button>
      </div>
    </form>
  );
}

function CurrentPassword({ error }: { error: string | undefined }) {
  return <PasswordField label={words.yourPassword} error={error} />;
}
