import { idBelow, toPage, writeCursor } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/administration/administration.queries.ts";
import type {
  AccountDetails,
  AccountState,
  AdministeredAccount,
  Role,
} from "#server/features/administration/administration.queries.ts";
import type { Identity } from "#server/features/identity/index.ts";
import {
  addLogEntry,
  endSuspensions,
  type LogAct,
  type Moderation,
} from "#server/features/moderation/index.ts";
import { refuse } from "#shared/errors.ts";
import type { OperatorAct } from "#shared/operator.ts";
import type { Page } from "#shared/views.ts";

/** What administration needs of other features. */
type Deps = {
  db: Database;
  identity: Pick<Identity, "suspension" | "devices" | "notifyOwner">;
  moderation: Pick<Moderation, "suspendAccount">;
  twoFactor: { turnOff: (accountId: string) => Promise<void> };
  deletion: {
    /** Withdraws a request for deletion; false when the deletion has begun. */
    keep: (accountId: string) => Promise<boolean>;
  };
};

/** Why an account is suspended, and for how many days; null: without an end. */
type Why = { reason: string; days: number | null };

type Wanted = {
  filter?: string;
  state?: AccountState | null;
  role?: Role | null;
  cursor?: string | null;
  limit?: number;
};

/**
 * What operators do with accounts: at the command line (`by` is null), and on the dashboard, which
 * knows who asks. Everything they do is in their log.
 */
export function createAdministration(deps: Deps) {
  const lookups = createLookups(deps.db);
  return { ...lookups, ...createActions(deps, lookups.find) };
}

function createLookups(db: Database) {
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

  /**
   * The same as `list`, but looks through so many accounts at most: a page may be short, or empty,
   * and still have a next one. An account that the filter names exactly comes first, however long
   * ago it joined.
   */
  async function search(wanted: Wanted = {}): Promise<Page<AdministeredAccount>> {
    const { filter = "", state = null, role = null, cursor = null, limit = 30 } = wanted;
    const words = filter.replaceAll("\0", "").trim().replace(/^@/, "");
    const page = { filter: words, state, role, below: idBelow(cursor), limit: limit + 1 };
    const { found, looked, last } = await queries.searchAccounts(db, page);
    const { items, nextCursor } = toPage(
      found.map((item) => ({ key: [item.id], item })),
      limit,
    );
    const goesOn = looked === queries.lookedThrough && last !== null ? writeCursor([last]) : null;
    const isFirst = cursor === null && words !== "" && state === null && role === null;
    const exact = isFirst ? await lookUp(db, words) : null;
    const others = items.filter(({ id }) => id !== exact?.id);
    return {
      items: exact ? [exact, ...others] : others,
      nextCursor: nextCursor ?? goesOn,
    };
  }

  /** `address` is an id, an email or a username, present or former. Refuses with not-found. */
  async function find(address: string): Promise<AdministeredAccount> {
    const found = await lookUp(db, address);
    if (!found) {
      throw refuse("not-found", { message: `No account has the address "${address.trim()}".` });
    }
    return found;
  }

  async function show(address: string): Promise<AccountDetails> {
    const account = await find(address);
    const details = await queries.readDetails(db, account.id);
    // deleted between the two statements
    if (!details) throw refuse("not-found");
    return { ...account, ...details };
  }

  return { list, search, find, show };
}

function lookUp(db: Database, address: string): Promise<AdministeredAccount | null> {
  const wanted = address.trim().replace(/^@/, "").toLowerCase().replaceAll("\0", "");
  return queries.findAccount(db, { id: isId(wanted) ? wanted : null, address: wanted });
}

type Find = ReturnType<typeof createLookups>["find"];
type By = { by?: string | null };

function createActions({ db, identity, moderation, twoFactor, deletion }: Deps, find: Find) {
  /**
   * Hides the account and signs it out everywhere, from its next request on, until it is restored.
   * `why`: the reason, which its owner reads and may answer, and for how many days.
   */
  async function suspend(
    address: string,
    { by = null, why }: By & { why?: Why | undefined } = {},
  ): Promise<AdministeredAccount> {
    const { id } = await find(address);
    if (id === by) throw refuse("own-account");
    await db.transaction(async () => {
      if (why) {
        const until = await moderation.suspendAccount(by, id, why);
        await record(by, "suspend", { accountId: id, detail: until?.toISOString() ?? "" });
        return;
      }
      await identity.suspension.suspend(id);
      await note(by, id, "suspend");
      await record(by, "suspend", { accountId: id });
    });
    return find(id);
  }

  /** In the log that moderators read. */
  const note = (by: string | null, accountId: string, act: LogAct) =>
    addLogEntry(db, { id: newId(), actor_id: by, account_id: accountId, act });

  /** In the log of the operators: part of the transaction of the act. `by` null: at the command line. */
  const record = (
    by: string | null,
    act: OperatorAct,
    about: { accountId?: string; detail?: string } = {},
  ) => queries.insertOperatorEntry(db, { id: newId(), actorId: by, act, ...about });

  /** Ends a suspension, and withdraws a request for deletion. Refuses with deletion-begun. */
  async function restore(address: string, { by = null }: By = {}): Promise<AdministeredAccount> {
    const { id, deletionDueAt } = await find(address);
    await db.transaction(async () => {
      if (deletionDueAt && !(await deletion.keep(id))) throw refuse("deletion-begun");
      await identity.suspension.end(id);
      await endSuspensions(db, id);
      await note(by, id, "restore");
      await record(by, "restore", { accountId: id });
    });
    return find(id);
  }

  /** Refuses with last-operator where no operator would be left; the command line may. */
  async function setRole(
    address: string,
    role: Role,
    { by = null, first = false }: By & { first?: boolean } = {},
  ): Promise<AdministeredAccount> {
    const { id } = await find(address);
    await db.transaction(async () => {
      const operators = await queries.lockOperators(db);
      if (by !== null) {
        // the role may be gone since the page was opened
        if (!operators.includes(by)) throw refuse("not-found");
        if (role !== "operator" && operators.every((each) => each === id)) {
          throw refuse("last-operator");
        }
      }
      await queries.writeRole(db, id, role);
      await note(by, id, role === "member" ? "role-taken" : "role-given");
      // A member who used the link of the log took the role themselves: one entry says so.
      if (first) await record(id, "first-operator", { accountId: id });
      else await record(by, "role", { accountId: id, detail: role });
    });
    return find(id);
  }

  /** For members who lost the phone and every recovery code. The owner gets an email. */
  async function turnSecondStepOff(address: string): Promise<AdministeredAccount> {
    const account = await find(address);
    await db.transaction(async () => {
      await twoFactor.turnOff(account.id);
      await identity.devices.forget(account.id);
      await identity.notifyOwner(account.id, { what: "two-factor-off" });
      await record(null, "second-step-off", { accountId: account.id });
    });
    return account;
  }

  return { suspend, restore, setRole, turnSecondStepOff, record };
}

export type Administration = ReturnType<typeof createAdministration>;
