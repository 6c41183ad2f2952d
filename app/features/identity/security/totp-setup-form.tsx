import * as common from "#messages/common.json";
import * as words from "#messages/security.json";
import type { SecurityAnswer } from "#app/features/identity/security/change-security.server.ts";
import type { TotpSetup } from "#app/features/identity/security/totp-setup.server.ts";
import {
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { missing } from "#app/lib/forms/form-errors.ts";
import { Button, Submit } from "#app/ui/button.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";
import { noWord, TextField } from "#app/ui/text-field.tsx";

type Props = FormProps & {
  setup: TotpSetup;
  onSaved: (answer: SecurityAnswer) => void;
  onCancel: () => void;
};

/** Shows the secret as a QR code and as text, and asks for a first code. */
export function TotpSetupForm({ setup, returned, onSaved, onCancel, feedback }: Props) {
  const { form, errors, saving } = useSecurityForm({
    changes: ["two-factor-on"],
    returned,
    onSaved,
    feedback,
    check: (fields) => missing(fields, ["code"]),
  });
  return (
    <div className="grid gap-4">
      <p>{words.scanCode}</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode {...setup.qr} label={words.qrCode} />
        <div className="grid min-w-48 flex-1 gap-2">
          <a href={setup.uri} className="link inline-flex min-h-11 items-center font-medium">
            {words.openApp}
          </a>
          <p className="text-sm text-muted">{words.orEnterKey}</p>
          <p dir="ltr" className="rounded-field bg-base-200 px-3 py-2 font-medium select-all">
            {setup.key}
          </p>
        </div>
      </div>
      <form {...form} className="grid gap-4">
        <input type="hidden" name="change" value="two-factor-on" />
        <input type="hidden" name="setup" value={setup.uri} />
        <TextField
          label={words.codeFromApp}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          {...noWord}
          maxLength={40}
          required
          error={errors["code"]}
        />
        <div className="flex flex-wrap gap-2">
          <Submit pending={saving !== null}>{words.turnOn}</Submit>
          <Button look="quiet" onClick={onCancel}>
            {common.cancel}
          </Button>
        </div>
      </form>
    </div>
  );
}
