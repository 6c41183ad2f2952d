import type { ProviderIdentity } from "#server/adapters/identity-providers/identity-provider.ts";
import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import type { Database } from "#server/db/database.ts";
import { newId as freshId, type NewId } from "#server/db/ids.ts";
import {
  credentialsOf,
  deleteIdentity,
  findAccountOf,
  hasPasskey,
  insertIdentity,
  lockAccount,
} from "#server/features/providers/providers.queries.ts";
import { refuse } from "#shared/errors.ts";
import { problem, type ConnectedProvider } from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  settings: readonly ProviderSettings[];
  confirm: (viewer: Viewer, proof: { password: string }) => Promise<void>;
  newId?: NewId | undefined;
};

/** better-auth's name for a password among the credentials. */
const passwordId = "credential";

/** Issuers are told with or without a slash at their end (OpenID Connect Discovery, section 4.1). */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

const isIts = (issuer: string) => (one: { provider_id: string }) =>
  isSameIssuer(one.provider_id, issuer);

/** Which providers lead to a member's account. */
export function createConnections({ db, settings, confirm, newId = freshId }: Deps) {
  async function list(viewer: Viewer): Promise<ConnectedProvider[]> {
    const credentials = await credentialsOf(db, viewer.id);
    return settings.map(({ name, label, issuer }) => {
      const connected = credentials.find(isIts(issuer));
      return { name, label, connectedSince: connected?.created_at.getTime() ?? null };
    });
  }

  /** Runs inside a transaction. Throws connected-elsewhere or already-connected. */
  async function connect(viewer: Viewer, { issuer, subject }: ProviderIdentity): Promise<void> {
    await lockAccount(db, viewer.id);
    const owner = await findAccountOf(db, { issuer, subject });
    if (owner === viewer.id) return;
    if (owner !== null) throw problem("connected-elsewhere");
    const others = await credentialsOf(db, viewer.id);
    if (others.some(isIts(issuer))) {
      throw problem("already-connected");
    }
    await insertIdentity(db, { id: newId(), accountId: viewer.id, issuer, subject });
  }

  /**
   * Ends a connection. Refuses with not-found when there is none, with last-way-in when nothing else
   * leads to the account, and as identity.confirm does.
   */
  async function disconnect(
    viewer: Viewer,
    name: string,
    { password }: { password: string },
  ): Promise<void> {
    const provider = settings.find((one) => one.name === name);
    if (!provider) throw refuse("not-found");
    await confirm(viewer, { password });
    await db.transaction(async () => {
      await lockAccount(db, viewer.id);
      const credentials = await credentialsOf(db, viewer.id);
      const own = credentials.find(isIts(provider.issuer));
      if (!own) throw refuse("not-found");
      // What the operator took out of the configuration leads nobody in any more.
      const others = [passwordId, ...settings.map(({ issuer }) => issuer)].flatMap((issuer) =>
        credentials.filter(isIts(issuer)).filter(({ id }) => id !== own.id),
      );
      if (others.length === 0 && !(await hasPasskey(db, viewer.id))) throw refuse("last-way-in");
      await deleteIdentity(db, own.id);
    });
  }

  return { list, connect, disconnect };
}
