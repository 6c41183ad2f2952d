import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

type ListedPasskey = {
  id: string;
  name: string;
  created_at: Date;
  used_at: Date | null;
  backed_up: boolean;
};

export const listPasskeys = (db: Database, accountId: string) =>
  db.query<ListedPasskey>(sql`
    select id, name, created_at, used_at, backed_up
    from passkeys
    where account_id = ${accountId}
    order by id desc
  `);

export const countPasskeys = (db: Database, accountId: string) =>
  db.scalar<number>(sql`
    select count(*)::int as n from passkeys where account_id = ${accountId}
  `);

/** One of an account's own; false where it is gone already. */
export const deletePasskey = (db: Database, accountId: string, id: string) =>
  db.any(sql`
    delete from passkeys
    where account_id = ${accountId} and id = ${id}
    returning id
  `);

type NewPasskey = {
  id: string;
  account_id: string;
  name: string;
  credential_id: string;
  /** base64 */
  public_key: string;
  counter: number;
  device_type: string;
  backed_up: boolean;
  /** how a browser reaches it, with commas between */
  transports: string;
  aaguid: string;
};

/** False where an account has this credential already. */
export const insertPasskey = (db: Database, passkey: NewPasskey) =>
  db.any(sql`
    insert into passkeys ${sql.row(passkey)}
    on conflict (credential_id) do nothing
    returning id
  `);

type StoredCredential = {
  accountId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
};

/** By the id that the browser sends: passkeys_credential_id_key. */
export async function findCredential(
  db: Database,
  credentialId: string,
): Promise<StoredCredential | null> {
  const [row] = await db.query<{ account_id: string; public_key: string; counter: number }>(sql`
    select account_id, public_key, counter
    from passkeys
    where credential_id = ${credentialId}
  `);
  if (!row) return null;
  const publicKey = new Uint8Array(Buffer.from(row.public_key, "base64"));
  return { accountId: row.account_id, publicKey, counter: row.counter };
}

/** The ids of an account's credentials and how a browser reaches them. passkeys_account. */
export async function credentialsOf(
  db: Database,
  accountId: string,
): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db.query<{ credential_id: string; transports: string }>(sql`
    select credential_id, transports from passkeys where account_id = ${accountId}
  `);
  return rows.map((row) => ({
    id: row.credential_id,
    transports: row.transports === "" ? [] : row.transports.split(","),
  }));
}

/** `counter`: the authenticator's own count of its uses (WebAuthn, section 6.1.1). */
export const noteUse = (db: Database, credentialId: string, counter: number) =>
  db.run(sql`
    update passkeys
    set used_at = now(), counter = greatest(counter, ${counter})
    where credential_id = ${credentialId}
  `);

type Challenge = { accountId: string | null; challenge: string };

/** `seconds`: how long it may be answered. */
export const insertChallenge = (
  db: Database,
  { tokenHash, accountId, challenge }: Challenge & { tokenHash: Buffer },
  seconds: number,
) =>
  db.run(sql`
    insert into passkey_challenges (token_hash, account_id, challenge, expires_at)
    values (
      ${tokenHash}, ${accountId}, ${challenge}, now() + make_interval(secs => ${seconds}::integer)
    )
  `);

/** Takes one that may still be answered, once. Primary key. */
export const takeChallenge = (db: Database, tokenHash: Buffer) =>
  db.first<Challenge>(sql`
    delete from passkey_challenges
    where token_hash = ${tokenHash} and expires_at > now()
    returning account_id as "accountId", challenge
  `);
