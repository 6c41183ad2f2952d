import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { refuse } from "#shared/errors.ts";

/** An account as a letter to it needs it. */
export type Addressee = {
  id: string;
  username: string;
  /** empty where none was given */
  fullName: string;
  /** as typed */
  email: string;
  verified: boolean;
  /** what was asked for before leads in no more */
  credentialsChangedAt: Date;
};

/** Suspended ones too: who they are may read why. */
function owners(db: Database) {
  return db.kysely
    .selectFrom("accounts")
    .select([
      "accounts.id",
      "accounts.username",
      "full_name as fullName",
      "email_as_typed as email",
      "email_verified as verified",
      "credentials_changed_at as credentialsChangedAt",
    ])
    .where("deleted_at", "is", null);
}

/** By email in lower case, suspended or not. accounts_email_key. */
export async function ownerByEmail(db: Database, email: string): Promise<Addressee | null> {
  return (await owners(db).where("email", "=", email).executeTakeFirst()) ?? null;
}

/** Suspended or not. */
export async function ownerById(db: Database, id: string): Promise<Addressee | null> {
  return (await owners(db).where("accounts.id", "=", id).executeTakeFirst()) ?? null;
}

export async function addresseeById(db: Database, id: string): Promise<Addressee | null> {
  const found = await owners(db)
    .where("accounts.id", "=", id)
    .where(visibleAccount())
    .executeTakeFirst();
  return found ?? null;
}

/** By email or by a present or former username, for the operator: findable or not. */
export async function ownerAt(db: Database, address: string): Promise<Addressee | null> {
  const wanted = address.toLowerCase();
  if (wanted.includes("@")) return ownerByEmail(db, wanted);
  const found = await owners(db)
    .innerJoin("usernames", "usernames.account_id", "accounts.id")
    .where("usernames.username", "=", wanted)
    .executeTakeFirst();
  return found ?? null;
}

/** Gives an account a proven address. Refuses with email-in-use where another account has it. */
export async function setEmail(db: Database, id: string, asTyped: string): Promise<void> {
  const update = db.kysely
    .updateTable("accounts")
    .set({
      email: asTyped.toLowerCase(),
      email_as_typed: asTyped,
      email_verified: true,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", id);
  await update.execute().catch((error: unknown) => {
    // 23505 unique_violation (PostgreSQL, Appendix A)
    throw (error as { code?: unknown }).code === "23505"
      ? refuse("email-in-use", { cause: error })
      : error;
  });
}
