import type { Returned } from "#app/features/identity/security/use-security-form.ts";

const names = ["password", "two-factor", "passkeys", "devices"] as const;

export type SecurityDialogName = (typeof names)[number];

/** The dialog a page shows: the one its address names, or the one that a submit without scripts came from. */
export function dialogOf(
  named: string | null,
  returned: Returned | undefined,
): SecurityDialogName | null {
  if (!returned) return names.find((name) => name === named) ?? null;
  const { change, saved } = returned;
  if (saved && !saved.setup && !saved.recoveryCodes) return null;
  if (change === "password") return "password";
  if (change.startsWith("two-factor")) return "two-factor";
  return change === "passkey-remove" ? "passkeys" : "devices";
}
