import * as words from "#messages/security.json";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { ChangeDialog } from "#app/features/settings/change-dialog.tsx";
import { Devices } from "#app/features/identity/security/devices.tsx";
import { PasskeysForms } from "#app/features/identity/security/passkeys-forms.tsx";
import { PasswordForm } from "#app/features/identity/security/password-form.tsx";
import {
  twoFactorText,
  type SecurityState,
} from "#app/features/identity/security/security-rows.tsx";
import type { SecurityDialogName } from "#app/features/identity/security/dialog-of.ts";
import { TwoFactorForms } from "#app/features/identity/security/two-factor-forms.tsx";
import type { Returned } from "#app/features/identity/security/use-security-form.ts";

const titles: Record<SecurityDialogName, string> = {
  password: words.password,
  "two-factor": words.twoFactor,
  passkeys: words.passkeys,
  devices: words.signedInDevices,
};

type Props = SecurityState & {
  name: SecurityDialogName;
  email: string;
  asksPassword: boolean;
  passkeysWork: boolean;
  returned: Returned | undefined;
};

export function SecurityDialog(props: Props) {
  const { name, email, asksPassword, password, twoFactor, passkeys, passkeysWork, connectedApps } =
    props;
  const { sessions, returned } = props;
  const hasPassword = password !== null;
  const timeZone = useTimeZone();
  const abouts = {
    password: hasPassword ? words.passwordAbout : words.noPasswordAbout,
    "two-factor": twoFactorText(twoFactor, timeZone),
    passkeys: words.passkeysAbout,
    devices: words.devicesAbout,
  };
  return (
    <ChangeDialog
      key={name}
      title={titles[name]}
      about={abouts[name]}
      back="/settings/security"
      message={returned && !returned.fields ? returned.message : undefined}
    >
      {(feedback) => {
        const shared = { returned, feedback };
        if (name === "password")
          return <PasswordForm {...shared} {...{ email, hasPassword, connectedApps }} />;
        if (name === "two-factor")
          return <TwoFactorForms {...shared} status={twoFactor} asksPassword={asksPassword} />;
        if (name === "passkeys")
          return <PasskeysForms {...shared} {...{ passkeys, asksPassword }} work={passkeysWork} />;
        return <Devices {...shared} sessions={sessions} />;
      }}
    </ChangeDialog>
  );
}
