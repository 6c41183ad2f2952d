import type { ProviderIdentity } from "#server/adapters/identity-providers/identity-provider.ts";
import type { ProviderSettings } from "#server/adapters/identity-providers/settings.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { Identity } from "#server/features/identity/identity.ts";
import { isSameIssuer } from "#server/features/identity/sign-in-methods.ts";
import { lockSignInMethods } from "#server/features/identity/sign-in-methods.queries.ts";
import * as queries from "#server/features/identity/providers/providers.queries.ts";
import { found } from "#shared/errors.ts";
import { problem, type ConnectedProvider } from "#shared/providers.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  settings: readonly ProviderSettings[];
  identity: Pick<Identity, "confirmation" | "signInMethods" | "notifyOwner">;
  newId?: NewId | undefined;
};

const isIts = (issuer: string) => (one: { provider_id: string }) =>
  isSameIssuer(one.provider_id, issuer);

/** The providers connected with a member's account. */
export function createConnections({ db, settings, identity, newId = freshId }: Deps) {
  async function list(viewer: Viewer): Promise<ConnectedProvider[]> {
    const credentials = await queries.credentialsOf(db, viewer.id);
    return settings.map(({ name, label, issuer }) => {
      const connected = credentials.find(isIts(issuer));
      return { name, label, connectedSince: connected?.created_at.getTime() ?? null };
    });
  }

  /** Runs inside a transaction. Throws connected-elsewhere or already-connected. */
  async function connect(viewer: Viewer, { issuer, subject }: ProviderIdentity): Promise<void> {
    await lockSignInMethods(db, viewer.id);
    const owner = await queries.findAccountOf(db, { issuer, subject });
    if (owner === viewer.id) return;
    if (owner !== null) throw problem("connected-elsewhere");
    const others = await queries.credentialsOf(db, viewer.id);
    if (others.some(isIts(issuer))) {
      throw problem("already-connected");
    }
    await queries.insertIdentity(db, { id: newId(), accountId: viewer.id, issuer, subject });
    await identity.notifyOwner(viewer.id, { what: "provider-connected", label: labelOf(issuer) });
  }

  /** The name that people know. */
  function labelOf(issuer: string): string {
    return settings.find((one) => isSameIssuer(one.issuer, issuer))?.label ?? issuer;
  }

  /**
   * Ends a connection. Refuses with not-found when there is none, with last-way-in when nothing else
   * leads to the account, and as identity.confirmation.confirmUnlessRecent does.
   */
  async function disconnect(viewer: Viewer, name: string, { password }: { password: string }) {
    const provider = found(settings.find((one) => one.name === name));
    await identity.confirmation.confirmUnlessRecent(viewer, { password });
    await identity.signInMethods.remove(viewer.id, async () => {
      const own = found((await queries.credentialsOf(db, viewer.id)).find(isIts(provider.issuer)));
      await queries.deleteIdentity(db, own.id);
      await identity.notifyOwner(viewer.id, {
        what: "provider-disconnected",
        label: provider.label,
      });
    });
  }

  return { list, connect, disconnect, labelOf };
}
