import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { isSuspended } from "#server/features/identity/suspension.queries.ts";
import { mayComeBack } from "#server/features/identity/recovery.queries.ts";

/** The hash of the account's password; null where it has none. */
export async function findPasswordHash(db: Database, accountId: string): Promise<string | null> {
  const row = await db.kysely
    .selectFrom("credentials")
    .select("password")
    .where("account_id", "=", accountId)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? null;
}

/**
 * The account that somebody may sign in to with an email (lower case), and the hash of its password
 * if it has one: an account that is there, or that is to be deleted and may still be kept, or one
 * that is suspended, whose owner reads why. The same statement for every email. accounts_email_key,
 * credentials_account.
 */
export async function findByEmail(
  db: Database,
  email: string,
): Promise<{ accountId: string; hash: string | null } | null> {
  const row = await db.kysely
    .selectFrom("accounts")
    .leftJoin("credentials", (join) =>
      join
        .onRef("credentials.account_id", "=", "accounts.id")
        .on("credentials.provider_id", "=", "credential"),
    )
    .select(["accounts.id", "credentials.password"])
    .where("accounts.email", "=", email)
    .where((eb) => eb.or([visibleAccount(), mayComeBack("accounts"), isSuspended("accounts")]))
    .executeTakeFirst();
  return row ? { accountId: row.id, hash: row.password } : null;
}

/** Sets the account's password, its first one too. `id` is for a row that was not there. */
export async function writePasswordHash(
  db: Database,
  { id, accountId, hash }: { id: string; accountId: string; hash: string },
): Promise<void> {
  await db.kysely
    .insertInto("credentials")
    // of a password the account itself is the subject
    .values({
      id,
      account_id: accountId,
      provider_id: "credential",
      subject: accountId,
      password: hash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["provider_id", "subject"])
        .doUpdateSet({ password: hash, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/**
 * When the credentials of the account with an email (lower case) last changed, to the microsecond;
 * null where nobody has it. The same statement for every email. accounts_email_key.
 */
export async function readCredentialsEpoch(db: Database, email: string): Promise<string | null> {
  const { rows } = await sql<{ epoch: string }>`
    select floor(extract(epoch from credentials_changed_at) * 1000000)::text as epoch
    from accounts where email = ${email}
  `.execute(db.kysely);
  return rows[0]?.epoch ?? null;
}

/** From here on, what was given out for the credentials before counts no more. */
export async function renewCredentialsEpoch(db: Database, accountId: string): Promise<void> {
  await sql`
    update accounts
    set credentials_changed_at =
      greatest(clock_timestamp(), credentials_changed_at + interval '1 microsecond')
    where id = ${accountId}
  `.execute(db.kysely);
}

/** Every way into an account but its password. */
export async function removeSignInMethods(db: Database, accountId: string): Promise<void> {
  for (const table of ["passkeys", "two_factors", "pending_sign_ins"] as const) {
    await db.kysely.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
  await db.kysely
    .deleteFrom("credentials")
    .where("account_id", "=", accountId)
    .where("provider_id", "<>", "credential")
    .execute();
}

/**
 * The password of an account, and the passkeys and providers added since. The second step stays: it
 * leads nobody in.
 */
export async function removeSignInMethodsSince(
  db: Database,
  accountId: string,
  since: Date,
): Promise<void> {
  await db.kysely
    .deleteFrom("passkeys")
    .where("account_id", "=", accountId)
    .where("created_at", ">=", since)
    .execute();
  await db.kysely
    .deleteFrom("credentials")
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("provider_id", "=", "credential"), eb("created_at", ">=", since)]))
    .execute();
}

export async function markEmailVerified(db: Database, accountId: string): Promise<void> {
  await db.kysely
    .updateTable("accounts")
    .set({ email_verified: true, updated_at: new Date() })
    .where("id", "=", accountId)
    .execute();
}
