import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isUniqueViolation } from "#server/platform/db/database-faults.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { refuse } from "#shared/errors.ts";

/** An account as an email to it needs it. */
export type Addressee = {
  id: string;
  username: string;
  /** empty where none was given */
  fullName: string;
  /** as typed */
  email: string;
  verified: boolean;
  /** the one they chose */
  language: string | null;
  /** requests before this moment are not valid any more */
  credentialsChangedAt: Date;
};

/** Suspended ones too: their owners may read why. */
const ownerWhere = (db: Database, which: Sql) =>
  db.first<Addressee>(sql`
    select a.id, a.username, a.full_name as "fullName", a.email_as_typed as email,
      a.email_verified as verified, a.language,
      a.credentials_changed_at as "credentialsChangedAt"
    from accounts a
    where a.deleted_at is null and ${which}
  `);

/** By email in lower case, suspended or not. accounts_email_key. */
export async function ownerByEmail(db: Database, email: string): Promise<Addressee | null> {
  return ownerWhere(db, sql`a.email = ${email}`);
}

/** Suspended or not. */
export async function ownerById(db: Database, id: string): Promise<Addressee | null> {
  return ownerWhere(db, sql`a.id = ${id}`);
}

export async function addresseeById(db: Database, id: string): Promise<Addressee | null> {
  return ownerWhere(db, sql`a.id = ${id} and ${visibleAccount("a")}`);
}

/** By email or by a present or former username, for the operator: findable or not. */
export async function ownerAt(db: Database, address: string): Promise<Addressee | null> {
  const wanted = address.toLowerCase();
  if (wanted.includes("@")) return ownerByEmail(db, wanted);
  return ownerWhere(db, sql`a.id = (select account_id from usernames where username = ${wanted})`);
}

/** Gives an account a verified address. Refuses with email-in-use where another account has it. */
export async function setEmail(db: Database, id: string, asTyped: string): Promise<void> {
  const update = sql`
    update accounts
    set email = ${asTyped.toLowerCase()}, email_as_typed = ${asTyped}, email_verified = true,
      updated_at = now()
    where id = ${id}
  `;
  await db.query(update).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse("email-in-use", { cause: error }) : error;
  });
}
