import type { ActivityKind } from "#shared/activity.ts";

type OfProvider = "provider-connected" | "provider-disconnected";

/** A change of an account's sign-in methods that its owner gets an email of. */
export type SecurityNotice =
  | { what: Extract<ActivityKind, `${"password" | "passkey" | "two-factor"}-${string}`> }
  | { what: OfProvider; label: string };

/** Joins the caller's transaction: a change that is rolled back sends nothing. */
export type NotifyOwner = (accountId: string, notice: SecurityNotice) => Promise<void>;
