import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { networkOf } from "#server/platform/networks.ts";
import { verifyPassword } from "#server/features/identity/index.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import * as queries from "#server/features/links/guests.queries.ts";
import type { createLinkCookie, Held } from "#server/features/links/link-cookie.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

type Deps = {
  db: Database;
  attempts: Pick<ReturnType<typeof createAttemptLimits>, "count" | "countAll">;
  cookies: ReturnType<typeof createLinkCookie>;
};

/** A link with the cookie that opens it; `locked` until its password is given. */
type Opened = { link: queries.FoundLink; held: Held; locked: boolean };

/** Who asks, as far as is known of a guest. */
export type Guest = { ip: string; cookieHeader: string };

const tokenForm = /^[\w-]{22}$/;

/** How a guest gets in: by an address, then by its cookie, and a password where there is one. */
export function createGuestEntry(deps: Deps) {
  const { db, cookies } = deps;

  /** The address was opened: the link's id, and the cookie in place of its token. Refuses as `linkAt`. */
  async function enter(token: string, { ip, cookieHeader }: Guest) {
    const link = await linkAt(deps, token, ip);
    const before = cookies.read(link.id, cookieHeader);
    const proof = before?.proof ?? "";
    return { id: link.id, cookie: cookies.write(link, { token, proof, unused: true }) };
  }

  /** Null where the cookie of this link is missing, or the link opens no more. */
  async function find(id: string, { cookieHeader }: Pick<Guest, "cookieHeader">) {
    const held = isId(id) ? cookies.read(id, cookieHeader) : null;
    const link = held && (await queries.findLink(db, { id }));
    if (!held || !link || !cookies.isOf(link, held)) return null;
    return { link, held, locked: !cookies.isProven(link, held) } satisfies Opened;
  }

  /**
   * The same with the cookie for a browser that looked at it for the first time, which is counted. Programs that fetch
   * previews keep no cookies, so none of them is.
   */
  async function look(id: string, guest: Pick<Guest, "cookieHeader">) {
    const opened = await find(id, guest);
    if (!opened || opened.locked || !opened.held.unused) return { opened, cookie: null };
    await queries.countOpened(db, opened.link);
    return { opened, cookie: cookies.write(opened.link, { ...opened.held, unused: false }) };
  }

  /** Takes the link's password; answers the cookie that says so. Refuses as `checkPassword`, and shared-link-ended. */
  async function unlock(id: string, password: string, { ip, cookieHeader }: Guest) {
    const opened = await find(id, { cookieHeader });
    if (!opened) throw refuse("shared-link-ended");
    const { link, held } = opened;
    await checkPassword(deps, link, password, ip);
    return cookies.write(link, { ...held, proof: cookies.proofOf(link) });
  }

  return {
    linkAt: (token: string, ip: string) => linkAt(deps, token, ip),
    enter,
    find,
    look,
    unlock,
  };
}

/** The link of a token; guesses are counted by network. Refuses with shared-link-ended, too-many-attempts. */
async function linkAt(
  { db, attempts }: Deps,
  token: string,
  ip: string,
): Promise<queries.FoundLink> {
  const attempt = await attempts.count("shared-link-guesses", networkOf(ip));
  const link = tokenForm.test(token)
    ? await queries.findLink(db, { tokenHash: hashToken(token) })
    : null;
  if (!link) throw refuse("shared-link-ended");
  await attempt.refund();
  return link;
}

/**
 * Wrong ones count against the link and the network, as those of sign-ins do. Refuses with wrong-link-password,
 * too-many-attempts.
 */
async function checkPassword(
  { attempts }: Deps,
  { id, passwordHash: hash }: queries.FoundLink,
  password: string,
  ip: string,
): Promise<void> {
  const attempt = await attempts.countAll(
    ["network-failures", networkOf(ip)],
    ["shared-link-passwords", id],
  );
  const bounded = password.slice(0, 4 * limits.sharedLinks.password.most);
  if (hash && !(await verifyPassword({ hash, password: bounded }))) {
    throw refuse("wrong-link-password");
  }
  await attempt.refund();
}
