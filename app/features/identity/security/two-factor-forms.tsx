import { useState, type ComponentProps } from "react";
import type { TwoFactorStatus } from "#shared/views.ts";
import * as words from "#messages/security.json";
import type {
  SecurityAnswer,
  SecurityChange,
} from "#app/features/identity/security/change-security.server.ts";
import { RecoveryCodes } from "#app/features/identity/security/recovery-codes.tsx";
import { TotpSetupForm } from "#app/features/identity/security/totp-setup-form.tsx";
import {
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { missing } from "#app/lib/forms/form-errors.ts";
import { Button } from "#app/ui/button.tsx";
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

  const shared = { asksPassword, returned, onSaved, feedback };
  return (
    <>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : status.on ? (
        <Buttons key="on" {...shared} buttons={whileOn} />
      ) : setup ? (
        <TotpSetupForm
          key={setup.uri}
          {...{ setup, returned, onSaved, feedback }}
          onCancel={() => setSetup(null)}
        />
      ) : (
        <Buttons key="off" {...shared} buttons={whileOff} />
      )}
    </>
  );
}

const whileOff: ButtonsProps["buttons"] = [["two-factor-begin", words.setUp, "primary"]];
const whileOn: ButtonsProps["buttons"] = [
  ["two-factor-codes", words.newRecoveryCodes, "outline"],
  ["two-factor-off", words.turnOff, "danger"],
];

type ButtonsProps = Omit<Props, "status"> & {
  onSaved: (answer: SecurityAnswer) => void;
  buttons: [change: SecurityChange, label: string, look: ComponentProps<typeof Button>["look"]][];
};

/** What each button does wants the password, where it was not given just now. */
function Buttons({ buttons, asksPassword, returned, onSaved, feedback }: ButtonsProps) {
  const { form, errors, saving } = useSecurityForm({
    changes: buttons.map(([change]) => change),
    returned,
    onSaved,
    feedback,
    check: (fields) => (asksPassword ? missing(fields, ["password"]) : {}),
  });
  return (
    <form {...form} className="grid gap-4">
      {asksPassword || errors["password"] ? (
        <PasswordField label={words.yourPassword} error={errors["password"]} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        {buttons.map(([change, label, look]) => (
          <Button
            key={change}
            type="submit"
            name="change"
            value={change}
            look={look}
            pending={saving === change}
          >
            {label}
          </Button>
        ))}
      </div>
    </form>
  );
}
