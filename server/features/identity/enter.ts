import type { ClientInfo } from "#server/features/types.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { createSessions } from "#server/features/identity/sessions.ts";
import type { createWayBack } from "#server/features/identity/way-back.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** How somebody proved to be an account's owner. */
export type EntryMethod = "password" | "link" | "provider" | "passkey";

/**
 * Signed in, or still to be asked for the second factor, or owner of an account that is to be
 * deleted and may be kept. The cookies go to the browser in every case.
 */
export type Entered =
  | { viewer: Viewer; cookies: string[] }
  | { viewer: null; secondFactor: true; cookies: string[] }
  | { viewer: null; leaving: true; cookies: string[] };

type Deps = {
  sessions: ReturnType<typeof createSessions>;
  devices: ReturnType<typeof createDevices>;
  wayBack: ReturnType<typeof createWayBack>;
};

export function createEnter({ sessions, devices, wayBack }: Deps) {
  /**
   * The one way to a session: for an account that proved itself by `method`. Whoever used this
   * browser before is signed out, and the browser is known to the account from now on.
   * Refuses with wrong-credentials when the account is not to be seen.
   */
  async function enter(
    accountId: string,
    client: ClientInfo,
    _method: EntryMethod,
  ): Promise<Entered> {
    const started = await sessions.start(accountId, client);
    if (!started) return comeBack(accountId, client);
    await sessions.end({ cookie: client.cookieHeader });
    const device = devices.remember(client.cookieHeader, started.viewer.email.toLowerCase());
    return { viewer: started.viewer, cookies: [started.cookie, device] };
  }

  /** Whoever proved to be an account that is to be deleted may keep it; nobody else comes in. */
  async function comeBack(accountId: string, client: ClientInfo): Promise<Entered> {
    const offered = await wayBack.offer(accountId);
    if (!offered) throw refuse("wrong-credentials");
    await sessions.end({ cookie: client.cookieHeader });
    return { viewer: null, leaving: true, cookies: [...offered.cookies, sessions.clearingCookie] };
  }

  return enter;
}
