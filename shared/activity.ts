import type { DeviceView } from "#shared/views.ts";

/** What is recorded of an account's sign-ins and security changes. */
export type ActivityKind =
  | "signed-in"
  | "sign-in-refused"
  | "code-refused"
  | "confirmation-refused"
  | "password-changed"
  /** by a link that was mailed to its owner */
  | "password-replaced"
  | "passkey-added"
  | "passkey-removed"
  | "two-factor-on"
  | "two-factor-off"
  | "two-factor-codes-renewed"
  | "provider-connected"
  | "provider-disconnected"
  | "email-confirmed"
  | "email-change-asked"
  | "email-changed";

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
