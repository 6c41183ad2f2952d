import type { ConnectedProvider } from "#shared/providers.ts";
import { limits } from "#shared/limits.ts";
import type { EmailState, PasskeyView, SessionView, TwoFactorStatus } from "#shared/views.ts";
import { SettingsGroup, SettingsRow } from "#app/features/settings/settings-rows.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import {
  BellIcon,
  DeviceMobileIcon,
  EnvelopeSimpleIcon,
  KeyIcon,
  LaptopIcon,
  LinkSimpleIcon,
  LockKeyIcon,
} from "#app/ui/icons.ts";

export type SecurityState = {
  address: EmailState;
  /** when it was set (epoch ms), and whether it replaced another one; null without one */
  password: { at: number; changed: boolean } | null;
  twoFactor: TwoFactorStatus;
  passkeys: PasskeyView[];
  providers: readonly ConnectedProvider[];
  sessions: SessionView[];
  /** number of connected apps */
  connectedApps: number;
};

const change = (what: string) => `/settings/security?change=${what}`;

/** The ways to sign in and the places where the account is signed in, each with a link to change it. */
export function SecurityRows(state: SecurityState) {
  return (
    <>
      <SettingsGroup title="How you sign in">
        <Credentials {...state} />
        <Providers {...state} />
      </SettingsGroup>
      <ActiveSessions {...state} />
    </>
  );
}

function Credentials({ address, password, twoFactor, passkeys }: SecurityState) {
  const timeZone = useTimeZone();
  return (
    <>
      <SettingsRow
        to={change("password")}
        icon={LockKeyIcon}
        label="Password"
        good={password !== null}
        state={password ? passwordText(password, timeZone) : "None"}
        hint={password ? undefined : "Add one to sign in by email, too."}
        action={password ? "Change" : "Add"}
      />
      <SettingsRow
        to="/settings/email"
        icon={EnvelopeSimpleIcon}
        label="Email"
        good={address.verified}
        state={<span dir="ltr">{address.email}</span>}
        hint={emailText(address)}
        action="Change"
      />
      <SettingsRow
        to={change("two-factor")}
        icon={DeviceMobileIcon}
        label="Two-step sign-in"
        good={twoFactor.on}
        state={twoFactor.on ? "On" : "Off"}
        hint={twoFactorText(twoFactor, timeZone)}
        action={twoFactor.on ? "Manage" : "Set up"}
      />
      <SettingsRow
        to={change("passkeys")}
        icon={KeyIcon}
        label="Passkeys"
        good={passkeys.length > 0}
        state={passkeys.length || "None"}
        hint="Sign in with your finger, face or PIN."
        action={passkeys.length > 0 ? "Manage" : "Add"}
      />
    </>
  );
}

function Providers({ providers }: SecurityState) {
  const timeZone = useTimeZone();
  return providers.map(({ name, label, connectedSince }) => (
    <SettingsRow
      key={name}
      to={`/settings/security/${connectedSince === null ? "connect" : "disconnect"}/${name}`}
      icon={LinkSimpleIcon}
      label={label}
      good={connectedSince !== null}
      state={
        connectedSince === null
          ? "Not connected"
          : `Connected since ${formatDate(connectedSince, timeZone)}`
      }
      action={connectedSince === null ? "Connect" : "Disconnect"}
    />
  ));
}

function ActiveSessions({ sessions, connectedApps }: SecurityState) {
  return (
    <SettingsGroup title="Where you're signed in">
      <SettingsRow
        to={change("devices")}
        icon={LaptopIcon}
        label="Signed-in devices"
        state={`${sessions.length} · ${devicesText(sessions)}`}
        action="Manage"
      />
      <SettingsRow
        to="/settings/security/apps"
        icon={LinkSimpleIcon}
        label="Connected apps"
        state={connectedApps || "None"}
      />
      <SettingsRow
        to="/settings/security/activity"
        icon={BellIcon}
        label="Recent activity"
        hint={`Sign-ins and changes in the last ${limits.activity.retentionDays} days.`}
      />
    </SettingsGroup>
  );
}

/** "Changed 3 May 2026" */
const passwordText = ({ at, changed }: { at: number; changed: boolean }, timeZone: string) =>
  `${changed ? "Changed" : "Set"} ${formatDate(at, timeZone)}`;

function emailText({ pending, verified }: EmailState): string {
  if (pending) return "Another address is waiting to be confirmed.";
  return verified ? "Confirmed" : "Not confirmed yet. Confirm it so you can reset your password.";
}

export function twoFactorText(status: TwoFactorStatus, timeZone: string): string {
  if (!status.on || status.since === null) {
    return "A code from your phone after your password: a stolen password isn't enough.";
  }
  const { recoveryCodesLeft: left } = status;
  const codes = left === 1 ? "1 recovery code is" : `${left || "No"} recovery codes are`;
  return `On since ${formatDate(status.since, timeZone)}. ${codes} left.`;
}

/** "This device and Safari on iPhone" */
function devicesText(sessions: readonly SessionView[]): string {
  const others = sessions.filter(({ current }) => !current);
  const [first] = others;
  if (!first) return "This device";
  return others.length === 1
    ? `This device and ${first.device.name}`
    : `This device, ${first.device.name} and ${others.length - 1} more`;
}
