import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { SignInOutcome, SignInProblemCode } from "#shared/providers.ts";

type NewAttempt = {
  id: string;
  state_hash: Buffer;
  browser_hash: Buffer;
  provider: string;
  account_id: string | null;
  in_popup: boolean;
  nonce: string;
  code_verifier: string;
  return_to: string;
  invitation: string | null;
  follow_id: string | null;
};

export type FoundAttempt = {
  id: string;
  accountId: string | null;
  inPopup: boolean;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  invitation: string | null;
  follow: string | null;
  outcome: SignInOutcome | SignInProblemCode | null;
};

const known = sql`
  id, account_id as "accountId", in_popup as "inPopup", nonce, code_verifier as "codeVerifier",
  return_to as "returnTo", invitation, follow_id as follow, outcome`;

/** `seconds`: how long it may take. */
export async function insertAttempt(db: Database, attempt: NewAttempt, seconds: number) {
  const expires = sql`now() + make_interval(secs => ${seconds}::integer)`;
  await db.run(sql`insert into provider_attempts ${sql.row({ ...attempt, expires_at: expires })}`);
}

/** Ends the browser's earlier unfinished attempt. provider_attempts_waiting. */
export const cancelWaiting = (db: Database, browserHash: Buffer) =>
  db.run(sql`
    update provider_attempts
    set outcome = ${"cancelled-popup-request" satisfies SignInProblemCode}
    where browser_hash = ${browserHash} and outcome is null
  `);

type Returned = { provider: string; stateHash: Buffer; browserHash: Buffer };

/**
 * Takes the attempt that came back, once: null when it is over, was taken before or is another
 * browser's.
 */
export const takeReturned = (db: Database, { provider, stateHash, browserHash }: Returned) =>
  db.first<FoundAttempt>(sql`
    update provider_attempts
    set returned_at = now()
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and provider = ${provider}
      and returned_at is null and expires_at > now()
    returning ${known}
  `);

/** The attempt of a state from any browser: for messages, never for signing anybody in. */
export const findByState = (db: Database, stateHash: Buffer) =>
  db.first<FoundAttempt>(sql`
    select ${known} from provider_attempts where state_hash = ${stateHash}
  `);

/** Stores how it ended; false when it was over before, for instance cancelled by another one. */
export const settle = (db: Database, id: string, outcome: SignInOutcome | SignInProblemCode) =>
  db.any(sql`
    update provider_attempts
    set outcome = ${outcome}
    where id = ${id} and outcome is null
    returning id
  `);

export const findOwn = (db: Database, { id, browserHash }: { id: string; browserHash: Buffer }) =>
  db.first<{ outcome: string | null; return_to: string; late: boolean }>(sql`
    select outcome, return_to, expires_at <= now() as late
    from provider_attempts
    where id = ${id} and browser_hash = ${browserHash}
  `);

/** Safe to run at any time, in several processes. provider_attempts_expired. */
export const sweepAttempts = (db: Database) =>
  db.run(sql`delete from provider_attempts where expires_at < now()`);
