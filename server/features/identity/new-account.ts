import type { Database } from "#server/platform/db/database.ts";
import { isUniqueViolation } from "#server/platform/db/database-faults.ts";
import { timeOf, type NewId } from "#server/platform/db/ids.ts";
import {
  insertAccount,
  insertCompanions,
  isEmailTaken,
  pickUsername,
} from "#server/features/people/index.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import type { SignUpInput } from "#shared/identity.ts";
import { searchName } from "#shared/text.ts";

/** What was asked for, after validation. */
export type Wanted = SignUpInput & { fullName: string; invitation: string | null };

/**
 * Whether somebody may make an account: checked before the work, consumed with the account's rows. And whether
 * it is private at first.
 */
export type Admission = {
  check: (invitation: string | null) => Promise<void>;
  use: (invitation: string | null) => Promise<void>;
  startsPrivate: () => Promise<boolean>;
};

export const openAdmission: Admission = {
  check: async () => {},
  use: async () => {},
  startsPrivate: async () => false,
};

export type AdmissionDeps = { db: Database; newId: NewId; admission: Admission };

/** How often a username that another sign-up took at the same moment is replaced. */
const usernameTries = 5;

export async function checkAdmission(
  { db, admission }: AdmissionDeps,
  { invitation, email }: Wanted,
): Promise<void> {
  await admission.check(invitation);
  if (await isEmailTaken(db, email.toLowerCase())) throw refuse("email-in-use");
}

/**
 * Tries another username where somebody else took it at the same moment; a requested one is not
 * replaced.
 */
export async function withFreeUsername<Entered>(
  db: Database,
  { fullName, email, wished }: Wanted & { wished: string | undefined },
  work: (username: string) => Promise<Entered>,
): Promise<Entered> {
  for (let attempt = 1; ; attempt += 1) {
    const username = wished ?? (await pickUsername(db, fullName));
    try {
      return await work(username);
    } catch (error) {
      if (!mayBeTaken(error)) throw error;
      if (await isEmailTaken(db, email.toLowerCase())) {
        throw refuse("email-in-use", { cause: error });
      }
      if (wished !== undefined) throw refuse("username-taken", { cause: error });
      if (attempt === usernameTries) throw error;
    }
  }
}

type Row = Pick<Wanted, "email" | "firstName" | "secondName" | "fullName" | "invitation"> & {
  username: string;
  /** by the member, not made from the name */
  chosen?: boolean;
  emailVerified?: boolean;
};

/** Writes the account with its companions; answers its id. Joins the caller's transaction. */
export async function insertNewAccount(
  { db, newId, admission }: AdmissionDeps,
  row: Row,
): Promise<string> {
  const { username, chosen, email, emailVerified = false, firstName, secondName, fullName } = row;
  const id = newId();
  await insertAccount(db, {
    id,
    username,
    email: email.toLowerCase(),
    email_as_typed: email,
    email_verified: emailVerified,
    first_name: firstName,
    second_name: secondName,
    full_name: fullName,
    search_name: searchName(fullName, username),
    // as old as its id says
    created_at: new Date(timeOf(id)),
    username_kept_at: chosen ? new Date() : null,
    private_at: (await admission.startsPrivate()) ? new Date() : null,
  });
  await admission.use(row.invitation);
  await insertCompanions(db, { id, username });
  return id;
}

/**
 * Whether the failure may be a conflict with somebody else's email or username, or a deleted
 * account's name.
 */
function mayBeTaken(error: unknown): boolean {
  return isUniqueViolation(error) || (isRefusal(error) && error.code === "username-taken");
}
