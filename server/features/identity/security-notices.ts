/** A change of an account's sign-in methods that its owner gets an email of. */
export type SecurityNotice =
  | {
      what:
        | "password-changed"
        /** by a link that was mailed to its owner */
        | "password-replaced"
        | "passkey-added"
        | "passkey-removed"
        | "two-factor-on"
        | "two-factor-off"
        | "two-factor-codes-renewed";
    }
  | { what: "provider-connected" | "provider-disconnected"; label: string };

/** Joins the caller's transaction: a change that is rolled back sends nothing. */
export type NotifyOwner = (accountId: string, notice: SecurityNotice) => Promise<void>;
