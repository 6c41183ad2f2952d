import type { ClientInfo } from "#server/features/types.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type {
  CountedAttempt,
  createAttemptLimits,
  LimitKind,
} from "#server/features/limits/index.ts";
import { networkOf } from "#server/platform/networks.ts";

type Deps = {
  limits: ReturnType<typeof createAttemptLimits>;
  devices: ReturnType<typeof createDevices>;
};

/** The counts of a try: from a device that the account knows, and from any other. */
type Kinds = { known: LimitKind; stranger: LimitKind };

/** One try against the account of `email` (lower case), counted before it is made. */
export function createAttemptCounter({ limits, devices }: Deps) {
  /**
   * Devices that the account knows share one count, separate from everybody else's: strangers do
   * not lock the owner out, and another cookie gives no further tries.
   */
  return async function countAttempt(
    email: string,
    client: ClientInfo,
    { known, stranger }: Kinds,
  ): Promise<CountedAttempt> {
    if (await devices.knows(client.cookieHeader, email)) return limits.count(known, email);
    // Where the account's count refuses, the password or code is not even checked: that is no
    // failure of the network.
    return limits.countAll(["network-failures", networkOf(client.ip)], [stranger, email]);
  };
}
