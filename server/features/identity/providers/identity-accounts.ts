import type { ProviderIdentity } from "#server/adapters/identity-providers/identity-provider.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isUniqueViolation } from "#server/platform/db/database-faults.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { isEmailReserved, pickUsername } from "#server/features/people/index.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { insertNewAccount, type Admission } from "#server/features/identity/new-account.ts";
import { networkOf } from "#server/platform/networks.ts";
import type { ClientInfo } from "#server/features/types.ts";
import * as queries from "#server/features/identity/providers/providers.queries.ts";
import { emailInput } from "#shared/identity.ts";
import { graphemes } from "#shared/graphemes.ts";
import { limits } from "#shared/limits.ts";
import { problem } from "#shared/providers.ts";
import { cleanName, joinNames } from "#shared/text.ts";

type Deps = {
  db: Database;
  attemptLimits: ReturnType<typeof createAttemptLimits>;
  newId?: NewId | undefined;
  admission: Admission;
  /** called after a sign-up with an unconfirmed email, in its transaction */
  welcome: (accountId: string) => Promise<void>;
  /**
   * notifies the owner of an account that an identity is connected with it now; in the transaction
   */
  notifyLinked: (accountId: string, issuer: string) => Promise<void>;
};

/** How often a row that another request wrote at the same moment is looked up again. */
const tries = 5;
/** The longest name that the schema can store, bytes. */
const nameBytes = 2000;

export function createAccountsOfIdentities(deps: Deps) {
  const { db, attemptLimits, admission, newId = freshId, welcome, notifyLinked } = deps;

  /**
   * The account of an identity: the one it is connected with, the one of its email when the
   * provider vouches for that email and the account's own was verified, or a new one.
   * Throws account-exists, account-unconfirmed, email-missing, and as refusals too-many-attempts,
   * sign-up-closed, invitation-required.
   */
  async function accountOf(
    identity: ProviderIdentity,
    client: ClientInfo,
    invitation: string | null,
  ): Promise<{ accountId: string; made: boolean }> {
    for (let attempt = 1; ; attempt += 1) {
      const known = await queries.findAccountOf(db, identity);
      if (known !== null) return { accountId: known, made: false };
      const email = emailOf(identity);
      try {
        const linked = await link(identity, email.toLowerCase());
        if (linked !== null) return { accountId: linked, made: false };
        return { accountId: await make(identity, email, client, invitation), made: true };
      } catch (error) {
        // identity, email or username
        if (!isUniqueViolation(error) || attempt === tries) throw error;
      }
    }
  }

  /** The account that has the email, now connected; null where nobody has it. */
  function link(identity: ProviderIdentity, email: string): Promise<string | null> {
    return db.transaction(async () => {
      const holder = await queries.holdByEmail(db, email);
      if (!holder) return null;
      if (!identity.emailVerified) throw problem("account-exists");
      // Somebody else may have made it: its owner ends their sign-in methods first.
      if (!holder.verified) throw problem("account-unconfirmed");
      const { issuer, subject } = identity;
      await queries.insertIdentity(db, { id: newId(), accountId: holder.id, issuer, subject });
      await notifyLinked(holder.id, issuer);
      return holder.id;
    });
  }

  /** The same account as a sign-up makes, without password and avatar. */
  async function make(
    identity: ProviderIdentity,
    email: string,
    client: ClientInfo,
    invitation: string | null,
  ): Promise<string> {
    // free now, but its former owner may still take it back
    if (await isEmailReserved(db, email.toLowerCase())) throw problem("account-exists");
    const counted = await attemptLimits.count("sign-ups", networkOf(client.ip));
    try {
      await admission.check(invitation);
      const [firstName, secondName] = [fit(identity.firstName), fit(identity.secondName)];
      const fullName = joinNames(firstName, secondName);
      const username = await pickUsername(db, fullName);
      const { issuer, subject, emailVerified } = identity;
      const row = { email, emailVerified, firstName, secondName, fullName, username, invitation };
      return await db.transaction(async () => {
        const accountId = await insertNewAccount({ db, newId, admission }, row);
        await queries.insertIdentity(db, { id: newId(), accountId, issuer, subject });
        if (!emailVerified) await welcome(accountId);
        return accountId;
      });
    } catch (error) {
      await counted.refund();
      throw error;
    }
  }

  return { accountOf };
}

function emailOf({ email }: ProviderIdentity): string {
  const parsed = emailInput.safeParse(email);
  if (!parsed.success) throw problem("email-missing");
  return parsed.data;
}

/** A name as a sign-up would accept it: providers have other limits. */
function fit(name: string): string {
  const characters = [...graphemes(cleanName(name.slice(0, nameBytes)))];
  const shown = characters.slice(0, limits.name).map(({ segment }) => segment);
  const text = shown.join("").trim();
  return new TextEncoder().encode(text).length <= nameBytes ? text : "";
}
