import type { ConnectedProvider } from "#shared/providers.ts";
import { limits } from "#shared/limits.ts";
import type { EmailState, PasskeyView, SessionView, TwoFactorStatus } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/security.json";
import { SettingsGroup, SettingsRow } from "#app/features/settings/settings-rows.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { deviceName } from "#app/features/identity/security/device-name.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import {
  DeviceMobileIcon,
  EnvelopeSimpleIcon,
  KeyIcon,
  LaptopIcon,
  LinkSimpleIcon,
  LockKeyIcon,
  SignInIcon,
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
      <SettingsGroup title={words.howYouSignIn}>
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
        label={words.password}
        good={password !== null}
        state={password ? passwordText(password, timeZone) : words.noPassword}
        hint={password ? undefined : words.passwordHint}
        action={password ? common.change : common.add}
      />
      <SettingsRow
        to="/settings/email"
        icon={EnvelopeSimpleIcon}
        label={words.email}
        good={address.verified}
        state={<span dir="ltr">{address.email}</span>}
        hint={emailText(address)}
        action={common.change}
      />
      <SettingsRow
        to={change("two-factor")}
        icon={DeviceMobileIcon}
        label={words.twoFactor}
        good={twoFactor.on}
        state={twoFactor.on ? words.stateOn : words.stateOff}
        hint={twoFactorText(twoFactor, timeZone)}
        action={twoFactor.on ? words.manage : words.setUp}
      />
      <SettingsRow
        to={change("passkeys")}
        icon={KeyIcon}
        label={words.passkeys}
        good={passkeys.length > 0}
        state={passkeys.length || words.none}
        hint={words.passkeysHint}
        action={passkeys.length > 0 ? words.manage : common.add}
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
          ? words.notConnected
          : fill(words.connectedSince, { day: formatDate(connectedSince, timeZone) })
      }
      action={connectedSince === null ? words.connect : words.disconnect}
    />
  ));
}

function ActiveSessions({ sessions, connectedApps }: SecurityState) {
  return (
    <SettingsGroup title={words.whereSignedIn}>
      <SettingsRow
        to={change("devices")}
        icon={LaptopIcon}
        label={words.signedInDevices}
        state={`${sessions.length} · ${devicesText(sessions)}`}
        action={words.manage}
      />
      <SettingsRow
        to="/settings/security/apps"
        icon={LinkSimpleIcon}
        label={words.connectedApps}
        state={connectedApps || words.none}
      />
      <SettingsRow
        to="/settings/security/activity"
        icon={SignInIcon}
        label={words.recentActivity}
        hint={counted(words.activityHint, limits.activity.retentionDays)}
      />
    </SettingsGroup>
  );
}

/** "Changed 3 May 2026" */
const passwordText = ({ at, changed }: { at: number; changed: boolean }, timeZone: string) =>
  fill(changed ? words.passwordChangedOn : words.passwordSetOn, { day: formatDate(at, timeZone) });

function emailText({ pending, verified }: EmailState): string {
  if (pending) return words.emailPending;
  return verified ? words.emailConfirmed : words.emailUnconfirmed;
}

export function twoFactorText(status: TwoFactorStatus, timeZone: string): string {
  if (!status.on || status.since === null) {
    return words.twoFactorAbout;
  }
  const { recoveryCodesLeft: left } = status;
  const day = formatDate(status.since, timeZone);
  return left === 0
    ? fill(words.twoFactorSinceNoCodes, { day })
    : counted(words.twoFactorSince, left, { day });
}

/** "This device and Safari on iPhone" */
function devicesText(sessions: readonly SessionView[]): string {
  const others = sessions.filter(({ current }) => !current);
  const [first] = others;
  if (!first) return words.thisDevice;
  const device = deviceName(first.device.name);
  return others.length === 1
    ? fill(words.thisDeviceAndOne, { device })
    : counted(words.thisDeviceAndMore, others.length - 1, { device });
}
