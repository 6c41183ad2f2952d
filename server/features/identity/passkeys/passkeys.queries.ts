import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

export async function listPasskeys(db: Database, accountId: string) {
  return db.kysely
    .selectFrom("passkeys")
    .select(["id", "name", "created_at", "used_at", "backed_up"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .execute();
}

export async function countPasskeys(db: Database, accountId: string): Promise<number> {
  const { n } = await db.kysely
    .selectFrom("passkeys")
    .select((eb) => eb.fn.countAll<string>().as("n"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** One of an account's own; false where it is gone already. */
export async function deletePasskey(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("passkeys")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type NewPasskey = {
  id: string;
  accountId: string;
  name: string;
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  deviceType: string;
  backedUp: boolean;
  transports: readonly string[];
  aaguid: string;
};

/** False where somebody has this credential already. */
export async function insertPasskey(db: Database, passkey: NewPasskey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.kysely
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey).toString("base64"),
      counter: passkey.counter,
      device_type: passkey.deviceType,
      backed_up: passkey.backedUp,
      transports: passkey.transports.join(","),
      aaguid: passkey.aaguid,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export type StoredCredential = {
  accountId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
};

/** By the id that the browser sends: passkeys_credential_id_key. */
export async function findCredential(
  db: Database,
  credentialId: string,
): Promise<StoredCredential | null> {
  const row = await db.kysely
    .selectFrom("passkeys")
    .select(["account_id", "public_key", "counter"])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  if (!row) return null;
  const publicKey = new Uint8Array(Buffer.from(row.public_key, "base64"));
  return { accountId: row.account_id, publicKey, counter: row.counter };
}

/** The ids of an account's credentials and how a browser reaches them. passkeys_account. */
export async function credentialsOf(
  db: Database,
  accountId: string,
): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db.kysely
    .selectFrom("passkeys")
    .select(["credential_id", "transports"])
    .where("account_id", "=", accountId)
    .execute();
  return rows.map((row) => ({
    id: row.credential_id,
    transports: row.transports === "" ? [] : row.transports.split(","),
  }));
}

/** `counter`: how often the authenticator says that it was used (WebAuthn, section 6.1.1). */
export async function noteUse(db: Database, credentialId: string, counter: number): Promise<void> {
  await db.kysely
    .updateTable("passkeys")
    .set({ used_at: sql<Date>`now()`, counter: sql<number>`greatest(counter, ${counter})` })
    .where("credential_id", "=", credentialId)
    .execute();
}

type Challenge = { accountId: string | null; challenge: string };

/** `seconds` is how long it may be answered. */
export async function insertChallenge(
  db: Database,
  { tokenHash, accountId, challenge }: Challenge & { tokenHash: Buffer },
  seconds: number,
): Promise<void> {
  await db.kysely
    .insertInto("passkey_challenges")
    .values({
      token_hash: tokenHash,
      account_id: accountId,
      challenge,
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds}::integer)`,
    })
    .execute();
}

/** One that may still be answered, and never again. Primary key. */
export async function takeChallenge(db: Database, tokenHash: Buffer): Promise<Challenge | null> {
  const row = await db.kysely
    .deleteFrom("passkey_challenges")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .returning(["account_id as accountId", "challenge"])
    .executeTakeFirst();
  return row ?? null;
}
