import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { createSeal, isSealed } from "#server/platform/sealed.ts";
import { openFormerSeal } from "#server/features/identity/two-factor/former-seal.ts";
import * as queries from "#server/features/identity/two-factor/two-factor.queries.ts";
import { refuse } from "#shared/errors.ts";

/** Secrets that are sealed anew between two reads of the table. */
const atOnce = 500;

type Deps = { db: Database; key: string; log: Pick<Logger, "error"> };

/**
 * The secrets of authenticator apps as they are stored, and as the version before migration 0086
 * stored them.
 */
export function createSeals({ db, key, log }: Deps) {
  const seals = createSeal(key, "second factor");

  function open(sealed: string, accountId: string): string {
    try {
      return isSealed(sealed) ? seals.open(sealed, accountId) : openFormerSeal(key, sealed);
    } catch (error) {
      log.error("a second factor cannot be read: secrets.json is not the one it was made with");
      throw refuse("internal", { cause: error });
    }
  }

  /**
   * Seals anew what the version before migration 0086 sealed, once that runs no more: it could not
   * read the new seal. Each secret by itself, and only where it is unchanged: safe at any time, in
   * several processes, killed or not.
   */
  async function reseal(): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const rows = await queries.readFormerSecrets(db, after, atOnce);
      for (const { accountId, secret } of rows) {
        const text = openOrNull(secret);
        const to = text === null ? null : seals.seal(text, accountId);
        if (to !== null) await queries.replaceSecret(db, { accountId, from: secret, to });
      }
      after = rows.at(-1)?.accountId ?? null;
      if (after === null || rows.length < atOnce) return;
    }
  }

  /** Null for what was sealed with secrets that were lost since: its owner gets a message. */
  function openOrNull(sealed: string): string | null {
    try {
      return openFormerSeal(key, sealed);
    } catch {
      return null;
    }
  }

  return { seal: seals.seal, open, reseal };
}
