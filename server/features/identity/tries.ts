import type { ClientInfo } from "#server/features/types.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { Counted, createAttemptLimits, LimitKind } from "#server/features/identity/limits.ts";
import { networkOf } from "#server/features/identity/networks.ts";

type Deps = {
  limits: ReturnType<typeof createAttemptLimits>;
  devices: ReturnType<typeof createDevices>;
};

/** What a try counts as: of a device that the account knows, and of any other. */
type Kinds = { known: LimitKind; stranger: LimitKind };

/** One try against the account of `email` (lower case), counted before it is made. */
export function createTries({ limits, devices }: Deps) {
  /**
   * A device that the account knows is counted by itself: the failures of others neither lock it
   * out nor does it lock out others.
   */
  return async function countTry(
    email: string,
    client: ClientInfo,
    { known, stranger }: Kinds,
  ): Promise<Counted> {
    const device = devices.find(client.cookieHeader, email);
    if (device) return limits.count(known, device.nonce);
    const ofNetwork = await limits.count("network-failures", networkOf(client.ip));
    try {
      const ofAccount = await limits.count(stranger, email);
      return {
        refund: async () => {
          await ofNetwork.refund();
          await ofAccount.refund();
        },
      };
    } catch (error) {
      // the password or code was not even looked at: no failure of the network's
      await ofNetwork.refund();
      throw error;
    }
  };
}
