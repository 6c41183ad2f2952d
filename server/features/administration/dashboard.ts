import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { takeFailedJobs } from "#server/platform/db/failed-jobs.ts";
import { isId } from "#server/platform/db/ids.ts";
import type { Administration } from "#server/features/administration/administration.ts";
import * as queries from "#server/features/administration/administration.queries.ts";
import type { AccountState } from "#server/features/administration/administration.queries.ts";
import type { Identity } from "#server/features/identity/index.ts";
import type { Storage } from "#server/features/limits/index.ts";
import type {
  Invitations,
  OperatorSettings,
  SettingName,
} from "#server/features/operator/index.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { roles, type OperatorLogEntry, type Role } from "#shared/operator.ts";
import { parseSize, formatSize } from "#shared/sizes.ts";
import type { Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  administration: Administration;
  identity: Pick<Identity, "confirmation">;
  invitations: Invitations;
  settings: OperatorSettings;
  storage: Pick<Storage, "read" | "setQuota">;
  jobs: Pick<Jobs, "add">;
  issueResetLink: (address: string) => Promise<{ username: string; url: string }>;
};

/**
 * The actor: an operator in the browser, with the password where it is asked for; null at the
 * command line, for which access to the machine is enough.
 */
type Operator = { viewer: Viewer; password: string } | null;

const logPage = 30;
/** Characters of an invitation's note. */
const noteLength = 100;

type Wanted = { words?: string; state?: AccountState | null; role?: Role | null };
type Why = { reason: string; days: number | null };
type NewInvitations = { days: number; count: number; note?: string };
type SettingTexts = Partial<Record<SettingName, string>>;

/**
 * Everything that operators do and read, in the browser or at the command line. Refuses everybody
 * else with not-found; changes ask for the password once in ten minutes.
 */
export function createDashboard(deps: Deps) {
  return { ...views(deps), ...accountActions(deps), ...siteActions(deps) };
}

/**
 * Answers the id of the actor. Refuses with not-found, wrong-password, too-many-attempts,
 * sign-in-again.
 */
function actingOf({ identity }: Deps) {
  return async (operator: Operator): Promise<string | null> => {
    if (operator === null) return null;
    requireOperator(operator.viewer);
    await identity.confirmation.confirmUnlessRecent(operator.viewer, operator);
    return operator.viewer.id;
  };
}

function views({ db, administration, invitations, settings, storage }: Deps) {
  async function accounts(
    viewer: Viewer,
    { words = "", ...wanted }: Wanted,
    cursor: string | null,
  ) {
    requireOperator(viewer);
    return administration.search({ filter: words.slice(0, 200), ...wanted, cursor });
  }

  async function account(viewer: Viewer, id: string) {
    requireOperator(viewer);
    if (!isId(id)) throw refuse("not-found");
    const account = await administration.show(id);
    return { account, storage: await storage.read(id) };
  }

  async function invited(viewer: Viewer | null, cursor: string | null) {
    if (viewer) requireOperator(viewer);
    return { mode: await invitations.mode(), page: await invitations.list(cursor) };
  }

  async function readSettings(viewer: Viewer) {
    requireOperator(viewer);
    return settings.typed();
  }

  /** What operators did, newest first. */
  async function log(
    viewer: Viewer | null,
    cursor: string | null,
  ): Promise<Page<OperatorLogEntry>> {
    if (viewer) requireOperator(viewer);
    const page = { below: idBelow(cursor), limit: logPage + 1 };
    return toPage(await queries.operatorEntries(db, page), logPage);
  }

  return { accounts, account, invited, readSettings, log };
}

function accountActions(deps: Deps) {
  const { db, administration, storage, issueResetLink } = deps;
  const acting = actingOf(deps);

  async function suspend(operator: Operator, address: string, why?: Why) {
    return administration.suspend(address, { by: await acting(operator), why });
  }

  async function restore(operator: Operator, address: string) {
    return administration.restore(address, { by: await acting(operator) });
  }

  /** A link that sets a new password, once, within half an hour. It is shown only this once. */
  async function resetLink(operator: Operator, address: string) {
    const by = await acting(operator);
    const { id, username: name } = await administration.find(address);
    return db.transaction(async () => {
      const issued = await issueResetLink(name);
      await administration.record(by, "reset-link", { accountId: id });
      return issued;
    });
  }

  async function setRole(operator: Operator, address: string, role: string) {
    const by = await acting(operator);
    const wanted = roles.find((each) => each === role);
    if (!wanted) throw refuse("input-invalid", { fields: { role: "Please choose a role." } });
    return administration.setRole(address, wanted, { by });
  }

  /** `size`: such as "20 GB", "unlimited", or "default" for the limit of everybody. */
  async function setQuota(operator: Operator, address: string, size: string) {
    const by = await acting(operator);
    const typed = size.trim().toLowerCase();
    const quota = typed === "unlimited" ? typed : typed === "default" ? null : parseSize(typed);
    if (quota === null && typed !== "default") {
      const sentence = "This isn't a size. Use one such as 20 GB, or unlimited, or default.";
      throw refuse("input-invalid", { fields: { size: sentence } });
    }
    const { id, username } = await administration.find(address);
    await db.transaction(async () => {
      await storage.setQuota(id, quota);
      const detail = typeof quota === "number" ? formatSize(quota) : typed;
      await administration.record(by, "quota", { accountId: id, detail });
    });
    return { username, storage: await storage.read(id) };
  }

  return { suspend, restore, resetLink, setRole, setQuota };
}

function siteActions(deps: Deps) {
  const { db, administration, invitations, jobs, settings } = deps;
  const acting = actingOf(deps);

  /** Codes that make one account each; they are shown only this once. */
  async function invite(operator: Operator, { days, count, note = "" }: NewInvitations) {
    const by = await acting(operator);
    const { mostDays, mostAtOnce } = limits.invitations;
    const fields = {
      ...(!isWhole(days, mostDays) && { days: `A number from 1 to ${mostDays}.` }),
      ...(!isWhole(count, mostAtOnce) && { count: `A number from 1 to ${mostAtOnce}.` }),
      ...([...note].length > noteLength && { note: `Up to ${noteLength} characters.` }),
    };
    if (Object.keys(fields).length > 0) throw refuse("input-invalid", { fields });
    return db.transaction(async () => {
      const made: { code: string; expiresAt: Date }[] = [];
      for (let n = 0; n < count; n += 1) {
        made.push(await invitations.issue(days, note.replace(/\p{Cc}+/gu, " ").trim()));
      }
      const detail = `${count} for ${days} ${days === 1 ? "day" : "days"}`;
      await administration.record(by, "invite", { detail });
      return made;
    });
  }

  async function withdrawInvitation(operator: Operator, id: string): Promise<void> {
    const by = await acting(operator);
    await db.transaction(async () => {
      await invitations.withdraw(id);
      await administration.record(by, "invitation-withdrawn");
    });
  }

  /** Answers what changed. Refuses with input-invalid, a message for each. */
  async function changeSettings(operator: Operator, texts: SettingTexts) {
    const by = await acting(operator);
    return db.transaction(async () => {
      const different = await settings.setAll(texts);
      for (const [name, value] of different) {
        const detail = value.includes("\n") ? name : `${name}: ${value}`;
        await administration.record(by, "setting", { detail });
      }
      return different;
    });
  }

  /** Adds a failed job once more, or all of them for null. Refuses with job-gone. */
  async function retryJobs(operator: Operator, id: string | null): Promise<void> {
    if (operator) requireOperator(operator.viewer);
    await db.transaction(async () => {
      const taken = id === null || isId(id) ? await takeFailedJobs(db, id) : [];
      if (taken.length === 0) throw refuse("job-gone");
      for (const { name, data } of taken) await jobs.add(name, data);
      const detail = [...new Set(taken.map(({ name }) => name))].join(", ");
      await administration.record(operator?.viewer.id ?? null, "job-retried", { detail });
    });
  }

  return { invite, withdrawInvitation, changeSettings, retryJobs };
}

const isWhole = (given: number, most: number) =>
  Number.isInteger(given) && given >= 1 && given <= most;

function requireOperator(viewer: Viewer): void {
  if (!viewer.operator) throw refuse("not-found");
}
