import type { z } from "zod";
import type { Database } from "#server/db/database.ts";
import {
  lockNames,
  readSettings,
  writePosting,
  writePrivacy,
  writeUsername,
} from "#server/features/people/settings/settings.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { privacyInput, usernameInput } from "#shared/settings.inputs.ts";
import { searchName } from "#shared/text.ts";
import type { OwnSettings, Viewer } from "#shared/views.ts";

const { daysBetweenChanges } = limits.username;
const secondsPerDay = 24 * 60 * 60;

/** What a member decides about the own account. */
export function createSettings({ db }: { db: Database }) {
  async function get(viewer: Viewer): Promise<OwnSettings> {
    const settings = await readSettings(db, viewer.id, daysBetweenChanges);
    if (!settings) throw refuse("sign-in-required");
    return settings;
  }

  /**
   * Takes another username; the one before stays this account's for good and leads to it.
   * Refuses with input-invalid, username-taken, username-too-soon (retryAfter says when).
   */
  async function changeUsername(viewer: Viewer, typed: string): Promise<{ username: string }> {
    const { username } = parseInput(usernameInput, { username: typed });
    try {
      await db.transaction(() => takeUsername(viewer.id, username));
    } catch (error) {
      // 23505 unique_violation: it is somebody's present name (PostgreSQL, Appendix A)
      if ((error as { code?: unknown }).code !== "23505") throw error;
      throw refuse("username-taken", { cause: error });
    }
    return { username };
  }

  /** Runs inside a transaction. */
  async function takeUsername(accountId: string, username: string): Promise<void> {
    const names = await lockNames(db, accountId, daysBetweenChanges);
    if (!names) throw refuse("sign-in-required");
    if (names.username === username) return;
    if (names.fixed_for !== null) throw tooSoon(names.fixed_for);
    const searched = searchName(names.full_name, username);
    const taken = !(await writeUsername(db, { accountId, username, searchName: searched }));
    if (taken) throw refuse("username-taken");
  }

  /** Switches who sees the email, who finds the account by it, and whether its photos are in Explore. */
  async function setPrivacy(viewer: Viewer, wanted: z.input<typeof privacyInput>): Promise<void> {
    const privacy = parseInput(privacyInput, wanted);
    const written = await db.transaction(() => {
      db.seenAtOnce();
      return writePrivacy(db, viewer.id, privacy);
    });
    if (!written) throw refuse("sign-in-required");
  }

  /** Switches whether the member is asked before photos without a description are posted. */
  async function setAltReminder(viewer: Viewer, on: boolean): Promise<void> {
    if (!(await writePosting(db, viewer.id, { reminds_to_describe: on })))
      throw refuse("sign-in-required");
  }

  /** What the composer proposes from now on. */
  async function setShowCamera(viewer: Viewer, on: boolean): Promise<void> {
    if (!(await writePosting(db, viewer.id, { show_camera: on }))) throw refuse("sign-in-required");
  }

  return { get, changeUsername, setPrivacy, setAltReminder, setShowCamera };
}

function tooSoon(seconds: number) {
  const days = Math.ceil(seconds / secondsPerDay);
  const wait = days === 1 ? "within a day" : `in ${days} days`;
  return refuse("username-too-soon", {
    message: `You changed your username less than ${daysBetweenChanges} days ago. You can change it again ${wait}.`,
    retryAfter: seconds,
  });
}
