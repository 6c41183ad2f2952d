/** A change of the ways into an account that its owner reads in a letter. */
export type SecurityNotice =
  | {
      what:
        | "password-changed"
        /** by a link that its owner was sent */
        | "password-replaced"
        | "passkey-added"
        | "passkey-removed"
        | "two-factor-on"
        | "two-factor-off"
        | "two-factor-codes-renewed";
    }
  | { what: "provider-connected" | "provider-disconnected"; label: string };

/** Joins the caller's transaction: what is rolled back is not told. */
export type NotifyOwner = (accountId: string, notice: SecurityNotice) => Promise<void>;
