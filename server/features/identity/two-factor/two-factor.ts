import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
} from "#server/features/identity/two-factor/recovery-codes.ts";
import { newTotpSecret, stepOfCode, totpUri } from "#server/features/identity/two-factor/totp.ts";
import {
  confirmSecret,
  isConfirmed,
  lockConfirmed,
  readSecret,
  readStatus,
  removeTwoFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  writeSecret,
} from "#server/features/identity/two-factor/two-factor.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { TwoFactorStatus } from "#shared/views.ts";

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
  async function status(accountId: string): Promise<TwoFactorStatus> {
    const { on, since, codes_left } = await readStatus(db, accountId);
    return { on, since: since?.getTime() ?? null, recoveryCodesLeft: codes_left };
  }

  /** A fresh secret for an app, as `otpauth:` address. It counts once `turnOn` saw a code of it. */
  async function begin(accountId: string, email: string): Promise<{ uri: string }> {
    const secret = newTotpSecret();
    const sealed = await symmetricEncrypt({ key, data: secret });
    if (!(await writeSecret(db, accountId, sealed))) throw refuse("two-factor-on");
    return { uri: totpUri(secret, email) };
  }

  /** Turns it on with a first code of the app. Answers the recovery codes, the only time. */
  async function turnOn(accountId: string, code: string): Promise<string[]> {
    const sealed = await readSecret(db, accountId, { confirmed: false });
    if (sealed === null) throw refuse("two-factor-not-begun");
    const step = await stepOfCode(await open(sealed), digitsOf(code), now());
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
      const step = sealed && (await stepOfCode(await open(sealed), code, now()));
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

  async function open(sealed: string): Promise<string> {
    try {
      return await symmetricDecrypt({ key, data: sealed });
    } catch (error) {
      log.error("a second factor cannot be read: secrets.json is not the one it was made with");
      throw refuse("internal", { cause: error });
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
