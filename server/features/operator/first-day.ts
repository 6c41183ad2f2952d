import type { Database } from "#server/platform/db/database.ts";
import { hasInvitations } from "#server/features/operator/invitations.queries.ts";
import {
  settingValue,
  type OperatorSettings,
  type SignUpMode,
} from "#server/features/operator/operator-settings.ts";
import { countMembers } from "#server/features/operator/usage.queries.ts";
import type { Viewer } from "#shared/views.ts";

/** With so many members a place is under way. */
const enough = 3;

export type FirstDay = {
  /** nobody else has an account */
  alone: boolean;
  /** what an operator can do about it; null for everybody else */
  place: { name: string; named: boolean; invited: boolean; signUp: SignUpMode } | null;
};

type Deps = { db: Database; settings: Pick<OperatorSettings, "getAll"> };

/**
 * What there is to do while a place has fewer than three members; null from the third one on, and then without a
 * question: home asks with every short page.
 */
export function createFirstDay({ db, settings }: Deps) {
  let isOver = false;
  return async function firstDay(viewer: Viewer): Promise<FirstDay | null> {
    if (isOver) return null;
    const members = await countMembers(db, enough);
    isOver = members >= enough;
    if (isOver) return null;
    const alone = members < 2;
    if (!viewer.operator) return { alone, place: null };
    const [set, invited] = await Promise.all([
      settings.getAll(["site-name", "sign-up"]),
      hasInvitations(db),
    ]);
    const name = set["site-name"];
    const named = name !== settingValue("site-name", undefined);
    return { alone, place: { name, named, invited, signUp: set["sign-up"] } };
  };
}
