import type { Database } from "#server/platform/db/database.ts";
import { isMakeshift } from "#server/features/people/accounts/usernames.ts";
import * as queries from "#server/features/people/settings/settings.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import type { ChosenLanguages } from "#shared/languages.ts";
import { chosenLanguages } from "#shared/languages.inputs.ts";
import { limits } from "#shared/limits.ts";
import { settingsInput, usernameInput } from "#shared/settings.inputs.ts";
import type { Switches } from "#shared/settings.ts";
import { searchName } from "#shared/text.ts";
import type { OwnSettings, Viewer } from "#shared/views.ts";

const { daysBetweenChanges } = limits.username;
const secondsPerDay = 24 * 60 * 60;

/** A member's settings of their account. */
export function createSettings({ db, languages }: { db: Database; languages: readonly string[] }) {
  async function get(viewer: Viewer): Promise<OwnSettings> {
    const settings = await queries.readSettings(db, viewer.id, daysBetweenChanges);
    if (!settings) throw refuse("sign-in-required");
    return settings;
  }

  /**
   * Changes the username; the former one stays this account's for good and leads to it. Refuses
   * with input-invalid, username-taken, username-too-soon (retryAfter says when).
   */
  async function changeUsername(viewer: Viewer, typed: string): Promise<{ username: string }> {
    const { username } = parseInput(usernameInput, { username: typed });
    try {
      await db.transaction(() => takeUsername(viewer.id, username));
    } catch (error) {
      // 23505 unique_violation: it is somebody's current name (PostgreSQL, Appendix A)
      if ((error as { code?: unknown }).code !== "23505") throw error;
      throw refuse("username-taken", { cause: error });
    }
    return { username };
  }

  /** Runs inside a transaction. */
  async function takeUsername(accountId: string, username: string): Promise<void> {
    const names = await queries.lockNames(db, accountId, daysBetweenChanges);
    if (!names) throw refuse("sign-in-required");
    if (names.username === username) return;
    if (names.fixed_for !== null) throw tooSoon(names.fixed_for);
    const searched = searchName(names.full_name, username);
    const taken = !(await queries.writeUsername(db, { accountId, username, searchName: searched }));
    if (taken) throw refuse("username-taken");
  }

  /**
   * Whether to offer another username: nobody can read what was made from the name, and its owner neither chose
   * nor changed nor kept it.
   */
  async function offersUsername({ id, username, name }: Viewer): Promise<boolean> {
    return isMakeshift(username, name) && queries.isUsernameUndecided(db, id);
  }

  /** Nobody offers to change it again. */
  const keepUsername = (viewer: Viewer) => queries.keepUsername(db, viewer.id);

  /** Turns switches on and off; those that are not named stay. Their effect is immediate. */
  async function change(viewer: Viewer, wanted: Partial<Switches>): Promise<void> {
    const switches = parseInput(settingsInput, wanted);
    await atOnce(() => queries.writeSettings(db, viewer.id, switches));
  }

  /**
   * What is left out stays. `language`, of the screens in every browser: one that is offered, or null for what each
   * browser asks for. `postingLanguage`, of new posts and comments: any, or null for that of the screens.
   */
  async function changeLanguages(viewer: Viewer, wanted: Partial<ChosenLanguages>): Promise<void> {
    const { language, postingLanguage } = parseInput(chosenLanguages, wanted);
    if (language && !languages.includes(language)) throw refuse("input-invalid");
    await atOnce(() => queries.writeLanguages(db, viewer.id, { language, postingLanguage }));
  }

  async function atOnce(write: () => Promise<boolean>): Promise<void> {
    const written = await db.transaction(() => {
      db.seenAtOnce();
      return write();
    });
    if (!written) throw refuse("sign-in-required");
  }

  return { get, changeUsername, offersUsername, keepUsername, change, changeLanguages };
}

function tooSoon(seconds: number) {
  const days = Math.ceil(seconds / secondsPerDay);
  const wait = days === 1 ? "within a day" : `in ${days} days`;
  return refuse("username-too-soon", {
    message: `You changed your username less than ${daysBetweenChanges} days ago. You can change it again ${wait}.`,
    retryAfter: seconds,
  });
}
