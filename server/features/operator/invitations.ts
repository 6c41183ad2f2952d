import { createHmac, randomBytes } from "node:crypto";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/operator/invitations.queries.ts";
import type { OperatorSettings, SignUpMode } from "#server/features/operator/operator-settings.ts";
import { refuse } from "#shared/errors.ts";
import type { InvitationView } from "#shared/operator.ts";
import type { Page } from "#shared/views.ts";

type Deps = {
  db: Database;
  secret: string;
  settings: Pick<OperatorSettings, "get">;
  /** the demo's people join whatever the operator decided about sign-ups */
  alwaysOpen?: boolean;
};

/** Without letters and digits that look alike; 32 of them, five bits each. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ123456789";
const groups = [5, 5, 5, 5];
const pageSize = 30;

/**
 * Who may create an account: everybody, anyone with an invitation, or nobody. An invitation creates one
 * account; its code is stored nowhere, only the person it was given to has it.
 */
export function createInvitations({ db, secret, settings, alwaysOpen = false }: Deps) {
  const hashOf = (code: string) =>
    createHmac("sha256", secret)
      .update(`invitation:${readable(code)}`)
      .digest();

  const mode = async (): Promise<SignUpMode> => (alwaysOpen ? "open" : settings.get("sign-up"));

  /** Creates a code for one account, valid for `days`. `note`: who it is for. */
  async function issue(days: number, note = ""): Promise<{ code: string; expiresAt: Date }> {
    const random = randomBytes(20);
    const letters = [...random].map((byte) => alphabet[byte % alphabet.length]).join("");
    const code = groups.map((size, index) => letters.slice(index * size, (index + 1) * size));
    const written = code.join("-");
    const row = { id: newId(), hash: hashOf(written), days, note };
    return { code: written, expiresAt: await queries.insertInvitation(db, row) };
  }

  /** Those that have not expired, newest first. */
  async function list(cursor: string | null): Promise<Page<InvitationView>> {
    const page = { below: idBelow(cursor), limit: pageSize + 1 };
    return toPage(await queries.listInvitations(db, page), pageSize);
  }

  /** Its code can no longer create an account. Refuses with invitation-gone. */
  async function withdraw(id: string): Promise<void> {
    if (!isId(id) || !(await queries.withdrawInvitation(db, id))) throw refuse("invitation-gone");
  }

  /** Whether a sign-up needs a code; refuses with sign-up-closed when sign-ups are closed. */
  async function asksCode(): Promise<boolean> {
    const now = await mode();
    if (now === "closed") throw refuse("sign-up-closed");
    return now === "invitation";
  }

  /**
   * Called before the work of a sign-up. Refuses with sign-up-closed, and with invitation-required for a
   * code that is missing, wrong, used or expired.
   */
  async function check(code: string | null): Promise<void> {
    if (!(await asksCode())) return;
    if (!code?.trim()) throw required("required*");
    const state = await queries.stateOf(db, hashOf(code));
    if (state !== "good") throw required(sentences[state]);
  }

  /** What to show somebody who opens a link with `code`; null where it is valid, or no code is needed. */
  async function problemOf(code: string): Promise<string | null> {
    if ((await mode()) !== "invitation" || !code.trim()) return null;
    const state = await queries.stateOf(db, hashOf(code));
    return state === "good" ? null : sentences[state];
  }

  /** In the transaction that creates the account: of two people with the same code, one succeeds. */
  async function use(code: string | null): Promise<void> {
    if (!(await asksCode())) return;
    if (!code || !(await queries.useInvitation(db, hashOf(code)))) throw required(sentences.used);
  }

  return {
    mode,
    issue,
    list,
    withdraw,
    check,
    problemOf,
    use,
    /** What the operator decided about new accounts. */
    startsPrivate: async () => (await settings.get("new-accounts")) === "private",
    sweep: () => queries.sweepInvitations(db),
  };
}

export type Invitations = ReturnType<typeof createInvitations>;

const sentences = {
  used: "This invitation was already used. Ask for another one.",
  gone: "This invitation doesn't work: it has expired, was withdrawn, or isn't typed right.",
};

function required(sentence: string) {
  return refuse("invitation-required", { fields: { invitation: sentence } });
}

/** Normalized for comparison: people write codes down, and type them without dashes. */
function readable(code: string): string {
  return code
    .slice(0, 200)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
}
