import { createHash } from "node:crypto";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idAt, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/identity/activity.queries.ts";
import { currentClient } from "#server/features/identity/current-client.ts";
import { networkOf } from "#server/platform/networks.ts";
import { printable } from "#server/features/identity/sessions.ts";
import { deviceOf } from "#server/features/identity/user-agent.ts";
import type { ClientInfo } from "#server/features/types.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import type { ActivityKind, ActivityView } from "#shared/activity.ts";
import { limits } from "#shared/limits.ts";
import type { Page, Viewer } from "#shared/views.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const refusalJob = "activity.sign-in-refused";
/**
 * An id that no account has: a wrong password for an unknown email takes the same work as for a
 * known one.
 */
const nobody = "00000000-0000-0000-0000-000000000000";

/** Events that anybody can repeat at will: counted in one row an hour for the same network. */
const repeatable = new Set<ActivityKind>([
  "signed-in",
  "sign-in-refused",
  "code-refused",
  "confirmation-refused",
  "email-change-asked",
]);

type Deps = { db: Database; newId: NewId; jobs?: Pick<Jobs, "add" | "handle"> | undefined };
type Refused = { accountId: string; network: string; userAgent: string };
type Note = { detail?: string; client?: ClientInfo | undefined };

/**
 * Security events of an account, for its member to read: what, when, from which network and device,
 * no secrets. Bounded whatever others do: repeated events are counted, and beyond a hundred rows a
 * day each kind has one more row. Old rows are never dropped for new ones: nobody can hide what
 * they did by doing more.
 */
export function createActivity({ db, newId, jobs }: Deps) {
  /** Joins the caller's transaction. The client is that of the current request, unless given. */
  async function note(accountId: string, kind: ActivityKind, { detail = "", ...given }: Note = {}) {
    const client = given.client ?? currentClient.getStore();
    await write({ accountId, kind, detail, ...originOf(client) });
  }

  async function write(entry: Refused & { kind: ActivityKind; detail: string }): Promise<void> {
    const { kind, detail, network, userAgent } = entry;
    const id = newId();
    const now = Date.now();
    // Somebody who guesses names another device with each try.
    const device = kind === "signed-in" ? hashOf(`${detail} ${userAgent}`) : "";
    const same = `${kind} ${Math.floor(now / hourMs)} ${network} ${device}`;
    await queries.noteActivity(db, {
      ...entry,
      detail: detail.slice(0, 100),
      id,
      bucket: repeatable.has(kind) ? same : id,
      since: idAt(now - dayMs),
      most: limits.activity.rowsADay,
    });
  }

  /**
   * A wrong password at sign-in, in the background and for an unknown email too: the answer must
   * not show whether there is an account (docs/decisions/0063).
   */
  async function noteRefusedSignIn(accountId: string | null, client: ClientInfo): Promise<void> {
    await jobs?.add(refusalJob, { accountId: accountId ?? nobody, ...originOf(client) });
  }

  jobs?.handle<Refused>(
    refusalJob,
    (refused) => write({ ...refused, kind: "sign-in-refused", detail: "" }),
    { retries: 2 },
  );

  /** The member's own, newest first. Refuses an invalid cursor with input-invalid. */
  async function list(viewer: Viewer, cursor: string | null): Promise<Page<ActivityView>> {
    const size = limits.activity.page;
    const page = { accountId: viewer.id, below: idBelow(cursor), limit: size + 1 };
    const { items, nextCursor } = toPage(await queries.listActivity(db, page), size);
    const views = items.map(({ userAgent, ...item }) => ({
      ...item,
      device: userAgent === "" ? null : deviceOf(userAgent),
    }));
    return { items: views, nextCursor };
  }

  /** Deletes old entries; worth doing once an hour. */
  async function sweep(now = Date.now()): Promise<void> {
    await queries.deleteActivityBefore(db, idAt(now - limits.activity.retentionDays * dayMs));
  }

  return { note, noteRefusedSignIn, list, sweep };
}

export type Activity = ReturnType<typeof createActivity>;

function originOf(client: ClientInfo | undefined) {
  const network = client?.ip ? networkOf(client.ip) : "";
  return { network, userAgent: printable(client?.userAgent ?? "") };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
