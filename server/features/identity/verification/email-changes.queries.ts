import { sql } from "#server/platform/db/sql.ts";
import { ms } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { linkLifetimes } from "#shared/verification.ts";

/** A change of address, both addresses as typed. */
export type EmailChange = { id: string; oldEmail: string; newEmail: string };

type Key = { accountId: string; id: string };

/** Neither confirmed nor withdrawn, and its link still valid. */
const isPending = sql`(
  confirmed_at is null and withdrawn_at is null
  and created_at > now() - make_interval(secs => ${linkLifetimes.confirmEmail.seconds}::integer)
)`;

/** It replaces a pending one. The caller has locked the account's row. */
export async function insertChange(
  db: Database,
  { accountId, id, newEmail }: Key & { newEmail: string },
): Promise<void> {
  await withdrawPending(db, accountId);
  await db.run(sql`
    insert into email_changes (account_id, id, old_email, old_verified, new_email)
    select id, ${id}, email_as_typed, email_verified, ${newEmail} from accounts where id = ${accountId}
  `);
}

/** The pending change, and since when (epoch ms). email_changes_pending. */
export const findPendingChange = (db: Database, accountId: string) =>
  db.first<EmailChange & { askedAt: number }>(sql`
    select id, old_email as "oldEmail", new_email as "newEmail",
      ${ms("created_at")} as "askedAt"
    from email_changes
    where account_id = ${accountId} and ${isPending}
  `);

/** A change that waits or was confirmed; null for one that was withdrawn. Primary key. */
export const findStandingChange = (db: Database, { accountId, id }: Key) =>
  db.first<EmailChange>(sql`
    select id, old_email as "oldEmail", new_email as "newEmail"
    from email_changes
    where account_id = ${accountId} and id = ${id} and withdrawn_at is null
  `);

export const withdrawPending = (db: Database, accountId: string) =>
  db.run(sql`
    update email_changes set withdrawn_at = now()
    where account_id = ${accountId} and confirmed_at is null and withdrawn_at is null
  `);

/** Marks a change as done. Undoing it restores the current address. */
export const markConfirmed = (
  db: Database,
  { accountId, id, oldEmail, oldVerified }: Key & { oldEmail: string; oldVerified: boolean },
) =>
  db.run(sql`
    update email_changes
    set confirmed_at = now(), old_email = ${oldEmail}, old_verified = ${oldVerified}
    where account_id = ${accountId} and id = ${id}
  `);

/** What undoing a change would do: a change before it, or none of its own. */
export type Undoing = {
  /** the address that the account had before, as typed */
  oldEmail: string;
  /** it, or a later one, is pending */
  pending: boolean;
  /** when it, or a later one, was first confirmed; null where none was */
  confirmedAt: Date | null;
};

/** A change together with the later ones. Primary key. */
export const findUndoing = (db: Database, { accountId, id }: Key) =>
  db.first<Undoing>(sql`
    select (array_agg(old_email order by id))[1] as "oldEmail",
      bool_or(${isPending}) as pending,
      min(confirmed_at) as "confirmedAt"
    from email_changes
    where account_id = ${accountId} and id >= ${id}
    having bool_or(id = ${id})
  `);

/** With them every link that would undo one of them. */
export const deleteChangesFrom = (db: Database, { accountId, id }: Key) =>
  db.run(sql`
    delete from email_changes where account_id = ${accountId} and id >= ${id}
  `);
