import type { DeviceView } from "#shared/views.ts";

/** The stored record of an account's sign-ins and security changes, and its labels. */
export const activityKinds = {
  "signed-in": "Signed in",
  "sign-in-refused": "Wrong password at sign-in",
  "code-refused": "Correct password, wrong code at sign-in",
  "confirmation-refused": "Wrong password when asked to confirm it",
  "password-changed": "Password changed",
  "password-replaced": "Password changed through a link",
  "passkey-added": "Passkey added",
  "passkey-removed": "Passkey removed",
  "two-factor-on": "Two-step sign-in turned on",
  "two-factor-off": "Two-step sign-in turned off",
  "two-factor-codes-renewed": "New recovery codes",
  "provider-connected": "Connected sign-in added",
  "provider-disconnected": "Connected sign-in removed",
  "email-confirmed": "Email confirmed",
  "email-change-asked": "Email change requested",
  "email-changed": "Email changed",
} as const;

export type ActivityKind = keyof typeof activityKinds;

/** How somebody signed in. */
export const signInMethods: Record<string, string> = {
  password: "with the password",
  code: "with two-step sign-in",
  passkey: "with a passkey",
  link: "with an emailed link",
  provider: "with a connected sign-in",
  kept: "to keep the account",
  "sign-up": "for the first time",
};

/** One entry, as its member reads it. */
export type ActivityView = {
  id: string;
  kind: ActivityKind;
  /** a method of signing in, or the name of a provider */
  detail: string;
  /** how often within the hour, or within the day where much happened */
  count: number;
  /** the last time, epoch ms */
  at: number;
  /** an IPv4 address or an IPv6 /64; empty where there were several, or none */
  network: string;
  /** null where there were several, or none */
  device: DeviceView | null;
};
