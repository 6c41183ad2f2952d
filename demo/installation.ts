import { createHmac } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { openInstallation as openShared } from "#server/installation.ts";
import { createClock, type Clock } from "./clock.ts";

export type Installation = {
  features: Features;
  clock: Clock;
  /** A password made from the installation's own secret: the same every time, unknown to everybody else. */
  secretFor: (purpose: string) => string;
  close: () => Promise<void>;
};

/** The installation of a configuration, running or stopped, with a clock that can be set back. */
export async function openInstallation(config: Config, log: Logger): Promise<Installation> {
  const clock = createClock();
  const { features, secrets, close } = await openShared(config, log, {
    newId: clock.newId,
    isDemo: true,
  });
  return { features, clock, secretFor: (purpose) => word(secrets.authSecret, purpose), close };
}

function word(secret: string, purpose: string): string {
  const bytes = createHmac("sha256", secret).update(purpose).digest();
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const text = Array.from(bytes.subarray(0, 12), (byte) => alphabet[byte % alphabet.length]).join(
    "",
  );
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}
