import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { createSeal, isSealed } from "#server/features/identity/sealed.ts";
import { openFormerSeal } from "#server/features/identity/two-factor/former-seal.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
} from "#server/features/identity/two-factor/recovery-codes.ts";
import { newTotpSecret, stepOfCode, totpUri } from "#server/features/identity/two-factor/totp.ts";
import {
  confirmSecret,
  isConfirmed,
  lockConfirmed,
  readFormerSecrets,
  readSecret,
  readStatus,
  removeTwoFactor,
  replaceSecret,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  writeSecret,
} from "#server/features/identity/two-factor/two-factor.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { TwoFactorStatus } from "#shared/views.ts";

/** Secrets that are sealed anew between two looks at the table. */
const atOnce = 500;

type Deps = {
  db: Database;
  /** of the installation: encrypts what is kept */
  secret: string;
  log: Pick<Logger, "error">;
  /** epoch milliseconds */
  now?: (() => number) | undefined;
};

/**
 * The second factor of an account: codes of an authenticator app (TOTP, RFC 6238), and recovery
 * codes for the day it is lost. Knows nothing of sessions: who may ask is for `identity` to say.
 */
export function createTwoFactor({ db, secret: key, log, now = Date.now }: Deps) {
  const seals = createSeal(key, "second factor");

  async function status(accountId: string): Promise<TwoFactorStatus> {
    const { on, since, codes_left } = await readStatus(db, accountId);
    return { on, since: since?.getTime() ?? null, recoveryCodesLeft: codes_left };
  }

  /** A fresh secret for an app, as `otpauth:` address. It counts once `turnOn` saw a code of it. */
  async function begin(accountId: string, email: string): Promise<{ uri: string }> {
    const secret = newTotpSecret();
    if (!(await writeSecret(db, accountId, seals.seal(secret, accountId))))
      throw refuse("two-factor-on");
    return { uri: totpUri(secret, email) };
  }

  /** Turns it on with a first code of the app. Answers the recovery codes, the only time. */
  async function turnOn(accountId: string, code: string): Promise<string[]> {
    const sealed = await readSecret(db, accountId, { confirmed: false });
    if (sealed === null) throw refuse("two-factor-not-begun");
    const step = stepOfCode(open(sealed, accountId), digitsOf(code), now());
    if (step === null) throw wrongCode();
    const codes = newRecoveryCodes();
    await db.transaction(async () => {
      const confirmed = await confirmSecret(db, { accountId, secret: sealed, step });
      if (!confirmed) throw refuse("two-factor-not-begun");
      await keepCodes(accountId, codes);
    });
    return codes;
  }

  /** Whether this is a code of the app or a recovery code, neither used before: it is used up now. */
  async function accepts(accountId: string, typed: string): Promise<boolean> {
    const code = digitsOf(typed);
    if (/^\d{6}$/.test(code)) {
      const sealed = await readSecret(db, accountId, { confirmed: true });
      const step = sealed && stepOfCode(open(sealed, accountId), code, now());
      return typeof step === "number" && takeStep(db, accountId, step);
    }
    const hash = hashRecoveryCode(key, { accountId, typed });
    return hash !== null && takeRecoveryCode(db, accountId, hash);
  }

  /** Ten new recovery codes; the ones before stop working. */
  async function renewCodes(accountId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await db.transaction(async () => {
      if (!(await lockConfirmed(db, accountId))) throw refuse("two-factor-not-begun");
      await keepCodes(accountId, codes);
    });
    return codes;
  }

  async function turnOff(accountId: string): Promise<void> {
    await db.transaction(() => removeTwoFactor(db, accountId));
  }

  /** Runs inside a transaction. */
  async function keepCodes(accountId: string, codes: readonly string[]): Promise<void> {
    const hashes = codes.map((typed) => hashRecoveryCode(key, { accountId, typed }) ?? "");
    await replaceRecoveryCodes(db, accountId, hashes);
  }

  function open(sealed: string, accountId: string): string {
    try {
      return isSealed(sealed) ? seals.open(sealed, accountId) : openFormerSeal(key, sealed);
    } catch (error) {
      log.error("a second factor cannot be read: secrets.json is not the one it was made with");
      throw refuse("internal", { cause: error });
    }
  }

  /**
   * Seals anew what the version before 0086 sealed, once it runs no more: it could not read it. Each
   * secret by itself, and only where it is still the same: at any time, in several processes, killed or not.
   */
  async function sealAnew(): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const rows = await readFormerSecrets(db, after, atOnce);
      for (const { accountId, secret } of rows) {
        const text = openOrNull(secret);
        const to = text === null ? null : seals.seal(text, accountId);
        if (to !== null) await replaceSecret(db, { accountId, from: secret, to });
      }
      after = rows.at(-1)?.accountId ?? null;
      if (after === null || rows.length < atOnce) return;
    }
  }

  /** Null for what was sealed with secrets that were lost since: whoever uses it is told. */
  function openOrNull(sealed: string): string | null {
    try {
      return openFormerSeal(key, sealed);
    } catch {
      return null;
    }
  }

  return {
    isOn: (accountId: string) => isConfirmed(db, accountId),
    status,
    begin,
    turnOn,
    accepts,
    renewCodes,
    turnOff,
    sealAnew,
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
