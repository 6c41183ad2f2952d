import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
} from "#server/features/identity/two-factor/recovery-codes.ts";
import { newTotpSecret, stepOfCode, totpUri } from "#server/features/identity/two-factor/totp.ts";
import * as queries from "#server/features/identity/two-factor/two-factor.queries.ts";
import { createSeals } from "#server/features/identity/two-factor/seals.ts";
import { refuse } from "#shared/errors.ts";
import type { TwoFactorStatus } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** of the installation: encrypts what is stored */
  secret: string;
  log: Pick<Logger, "error">;
  /** epoch milliseconds */
  now?: (() => number) | undefined;
};

/**
 * The second factor of an account: codes of an authenticator app (TOTP, RFC 6238), and recovery
 * codes for the day it is lost. Knows nothing of sessions: `identity` decides who may call this.
 */
export function createTwoFactor({ db, secret: key, log, now = Date.now }: Deps) {
  const seals = createSeals({ db, key, log });

  async function status(accountId: string): Promise<TwoFactorStatus> {
    const { on, since, codes_left } = await queries.readStatus(db, accountId);
    return { on, since: since?.getTime() ?? null, recoveryCodesLeft: codes_left };
  }

  /**
   * A fresh secret for an app, as `otpauth:` address. It is in use once `turnOn` got a code of it.
   */
  async function begin(accountId: string, email: string): Promise<{ uri: string }> {
    const secret = newTotpSecret();
    const written = await queries.writeSecret(db, accountId, seals.seal(secret, accountId));
    if (!written) throw refuse("two-factor-on");
    return { uri: totpUri(secret, email) };
  }

  /** Turns it on with a first code of the app. Answers the recovery codes, the only time. */
  async function turnOn(accountId: string, code: string): Promise<string[]> {
    const sealed = await queries.readSecret(db, accountId, { confirmed: false });
    if (sealed === null) throw refuse("two-factor-not-begun");
    const step = stepOfCode(seals.open(sealed, accountId), digitsOf(code), now());
    if (step === null) throw wrongCode();
    const codes = newRecoveryCodes();
    await db.transaction(async () => {
      const confirmed = await queries.confirmSecret(db, { accountId, secret: sealed, step });
      if (!confirmed) throw refuse("two-factor-not-begun");
      await storeCodes(accountId, codes);
    });
    return codes;
  }

  /** Whether this is a code of the app or a recovery code, neither used before: it is consumed. */
  async function accepts(accountId: string, typed: string): Promise<boolean> {
    const code = digitsOf(typed);
    if (/^\d{6}$/.test(code)) {
      const sealed = await queries.readSecret(db, accountId, { confirmed: true });
      const step = sealed && stepOfCode(seals.open(sealed, accountId), code, now());
      return typeof step === "number" && queries.takeStep(db, accountId, step);
    }
    const hash = hashRecoveryCode(key, { accountId, typed });
    return hash !== null && queries.takeRecoveryCode(db, accountId, hash);
  }

  /** Ten new recovery codes; the ones before stop working. */
  async function renewCodes(accountId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await db.transaction(async () => {
      if (!(await queries.lockConfirmed(db, accountId))) throw refuse("two-factor-not-begun");
      await storeCodes(accountId, codes);
    });
    return codes;
  }

  async function turnOff(accountId: string): Promise<void> {
    await db.transaction(() => queries.removeTwoFactor(db, accountId));
  }

  /** Runs inside a transaction. */
  async function storeCodes(accountId: string, codes: readonly string[]): Promise<void> {
    const hashes = codes.map((typed) => hashRecoveryCode(key, { accountId, typed }) ?? "");
    await queries.replaceRecoveryCodes(db, accountId, hashes);
  }

  return {
    isOn: (accountId: string) => queries.isConfirmed(db, accountId),
    status,
    begin,
    turnOn,
    accepts,
    renewCodes,
    turnOff,
    reseal: seals.reseal,
  };
}

/** A code as somebody typed it: apps show it in two groups. */
function digitsOf(typed: string): string {
  return typed.replace(/[\s-]/g, "");
}

export function wrongCode() {
  const refusal = refuse("wrong-code");
  return Object.assign(refusal, { fields: { code: refusal.message } });
}
