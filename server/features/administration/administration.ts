import { idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId, newId } from "#server/db/ids.ts";
import type { LogAct } from "#server/db/types.ts";
import * as queries from "#server/features/administration/administration.queries.ts";
import type {
  AccountDetails,
  AccountState,
  AdministeredAccount,
  Role,
} from "#server/features/administration/administration.queries.ts";
import type { Identity } from "#server/features/identity/index.ts";
import { addLogEntry } from "#server/features/moderation/index.ts";
import { refuse } from "#shared/errors.ts";
import type { Page } from "#shared/views.ts";

/** What administration needs of the features that it acts through. */
type Deps = {
  db: Database;
  identity: Pick<Identity, "suspension" | "devices" | "tellOwner">;
  twoFactor: { turnOff: (accountId: string) => Promise<void> };
  deletion: {
    /** Takes a request for deletion back; false when the deletion has begun. */
    keep: (accountId: string) => Promise<boolean>;
  };
};

type Wanted = {
  filter?: string;
  state?: AccountState | null;
  role?: Role | null;
  cursor?: string | null;
  limit?: number;
};

/**
 * What the operator does with accounts. No request reaches it: whoever runs the commands of an
 * installation owns it.
 */
export function createAdministration({ db, identity, twoFactor, deletion }: Deps) {
  async function list(wanted: Wanted = {}): Promise<Page<AdministeredAccount>> {
    const { filter = "", state = null, role = null, cursor = null, limit = 50 } = wanted;
    const below = idBelow(cursor);
    // PostgreSQL's text holds every character but NUL
    const page = { filter: filter.replaceAll("\0", ""), state, role, below, limit: limit + 1 };
    const accounts = await queries.listAccounts(db, page);
    return toPage(
      accounts.map((item) => ({ key: [item.id], item })),
      limit,
    );
  }

  /** `address` is an id, an email or a username, present or former. Refuses with not-found. */
  async function find(address: string): Promise<AdministeredAccount> {
    const wanted = address.trim().replace(/^@/, "").toLowerCase().replaceAll("\0", "");
    const id = isId(wanted) ? wanted : null;
    const found = await queries.findAccount(db, { id, address: wanted });
    if (!found) {
      throw refuse("not-found", { message: `No account has the address "${address.trim()}".` });
    }
    return found;
  }

  async function show(address: string): Promise<AccountDetails> {
    const account = await find(address);
    const details = await queries.readDetails(db, account.id);
    // deleted between the two
    if (!details) throw refuse("not-found");
    return { ...account, ...details };
  }

  /** Hides the account and signs it out, everywhere, from its next request on, until it is restored. */
  async function suspend(address: string): Promise<AdministeredAccount> {
    const { id } = await find(address);
    await db.transaction(async () => {
      await identity.suspension.suspend(id);
      await note(id, "suspend");
    });
    return find(id);
  }

  /** In the moderation log, as done by whoever runs the place. */
  function note(accountId: string, act: LogAct): Promise<void> {
    return addLogEntry(db, { id: newId(), actorId: null, accountId, act });
  }

  /** Ends a suspension, and takes a request for deletion back. Refuses with deletion-begun. */
  async function restore(address: string): Promise<AdministeredAccount> {
    const { id, deletionDueAt } = await find(address);
    await db.transaction(async () => {
      if (deletionDueAt && !(await deletion.keep(id))) throw refuse("deletion-begun");
      await identity.suspension.end(id);
      await note(id, "restore");
    });
    return find(id);
  }

  async function setRole(address: string, role: Role): Promise<AdministeredAccount> {
    const { id } = await find(address);
    await db.transaction(async () => {
      await queries.writeRole(db, id, role);
      await note(id, role === "moderator" ? "role-given" : "role-taken");
    });
    return find(id);
  }

  /** For whoever lost the phone and every recovery code. The owner is told by letter. */
  async function turnSecondStepOff(address: string): Promise<AdministeredAccount> {
    const account = await find(address);
    await db.transaction(async () => {
      await twoFactor.turnOff(account.id);
      await identity.devices.forget(account.id);
      await identity.tellOwner(account.id, { what: "two-factor-off" });
    });
    return account;
  }

  return { list, find, show, suspend, restore, setRole, turnSecondStepOff };
}
