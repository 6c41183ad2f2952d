import type { Database } from "#server/db/database.ts";

/** No way in of the account is added or removed by anybody else until the transaction ends. */
export async function lockSignInMethods(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .forUpdate()
    .execute();
}

/**
 * What leads to an account: "credential" for a password, "passkey", and the issuers of identity
 * providers, each as often as there is one. credentials_account, passkeys_account.
 */
export async function readSignInMethods(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("credentials")
    .select("provider_id as way")
    .where("account_id", "=", accountId)
    .unionAll((eb) =>
      eb
        .selectFrom("passkeys")
        .select(eb.val("passkey").as("way"))
        .where("account_id", "=", accountId),
    )
    .execute();
  return rows.map(({ way }) => way);
}
