import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { mayComeBack } from "#server/features/identity/recovery.queries.ts";
import { isSuspended } from "#server/features/identity/suspension.queries.ts";
import { visibleAccount } from "#server/features/people/index.ts";

export type TwoFactorRow = { on: boolean; since: Date | null; codes_left: number };

/**
 * Whether a sign-in of this account needs a code, also to keep it where it is to be deleted, or to
 * read why it is suspended. An account that cannot be signed in to needs none.
 */
export const isConfirmed = (db: Database, accountId: string) =>
  db.scalar<boolean>(sql`
    select exists (
      select from two_factors t
      join accounts a on a.id = t.account_id
      where t.account_id = ${accountId} and t.confirmed_at is not null
        and (${visibleAccount("a")} or ${mayComeBack("a")} or ${isSuspended("a")})
    ) as confirmed
  `);

/** The encrypted secret, if it was confirmed with a code (or, with `confirmed` false, not yet). */
export const readSecret = (
  db: Database,
  accountId: string,
  { confirmed }: { confirmed: boolean },
) =>
  db.value<string>(sql`
    select secret
    from two_factors
    where account_id = ${accountId} and (confirmed_at is not null) = ${confirmed}
  `);

export async function readStatus(db: Database, accountId: string): Promise<TwoFactorRow> {
  const rows = await db.query<TwoFactorRow>(sql`
    select
      true as on,
      t.confirmed_at as since,
      (select count(*)::int from recovery_codes r where r.account_id = t.account_id) as codes_left
    from two_factors t
    where t.account_id = ${accountId} and t.confirmed_at is not null
  `);
  return rows[0] ?? { on: false, since: null, codes_left: 0 };
}

/** Stores a secret that still has to be confirmed. False when there is a confirmed one. */
export const writeSecret = (db: Database, accountId: string, secret: string) =>
  db.any(sql`
    insert into two_factors (account_id, secret) values (${accountId}, ${secret})
    on conflict (account_id) do update set secret = excluded.secret, created_at = now()
    where two_factors.confirmed_at is null
    returning account_id
  `);

/** Turns the unconfirmed secret on; false when it is not there any more. */
export const confirmSecret = (
  db: Database,
  { accountId, secret, step }: { accountId: string; secret: string; step: number },
) =>
  db.any(sql`
    update two_factors set confirmed_at = now(), last_step = ${step}
    where account_id = ${accountId} and secret = ${secret} and confirmed_at is null
    returning account_id
  `);

/**
 * Consumes a step's code, once and never an older one after it; false when that was done before.
 */
export const takeStep = (db: Database, accountId: string, step: number) =>
  db.any(sql`
    update two_factors set last_step = ${step}
    where account_id = ${accountId} and last_step < ${step}
    returning account_id
  `);

/** Consumes a recovery code; false when there is none with this hash. */
export const takeRecoveryCode = (db: Database, accountId: string, hash: string) =>
  db.any(sql`
    delete from recovery_codes where account_id = ${accountId} and hash = ${hash}
    returning hash
  `);

/** Only these work from now on. Runs inside a transaction. */
export async function replaceRecoveryCodes(
  db: Database,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.run(sql`delete from recovery_codes where account_id = ${accountId}`);
  await db.run(sql`
    insert into recovery_codes (account_id, hash)
    select ${accountId}::uuid, unnest(${hashes}::text[])
  `);
}

/** Locks the account's second factor for the rest of the transaction; false when it has none. */
export const lockConfirmed = (db: Database, accountId: string) =>
  db.any(sql`
    select account_id from two_factors
    where account_id = ${accountId} and confirmed_at is not null
    for update
  `);

/** With its recovery codes and any sign-in that waits for one of its codes. */
export async function removeTwoFactor(db: Database, accountId: string): Promise<void> {
  await db.run(sql`delete from two_factors where account_id = ${accountId}`);
  await db.run(sql`delete from pending_sign_ins where account_id = ${accountId}`);
}

/**
 * Secrets in the form of the version before migration 0086, `limit` of them after an account (null
 * for the first): hexadecimal, which ours are not. Primary key, a few rows for each hundred
 * members.
 */
export const readFormerSecrets = (db: Database, after: string | null, limit: number) =>
  db.query<{ accountId: string; secret: string }>(sql`
    select account_id as "accountId", secret from two_factors
    where secret ~ '^[0-9a-f]+$' and (${after}::uuid is null or account_id > ${after}::uuid)
    order by account_id
    limit ${limit}
  `);

/**
 * Replaces a secret by the same one sealed anew; changes nothing where it is another one by now.
 */
export const replaceSecret = (
  db: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
) =>
  db.run(sql`
    update two_factors set secret = ${to} where account_id = ${accountId} and secret = ${from}
  `);
