import { createHash } from "node:crypto";
import type { Database } from "#server/db/database.ts";
import {
  findAnswer,
  keepAnswer,
  sweepKeys,
  takeKey,
} from "#server/features/idempotency/idempotency.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** What a call answers: its status and its JSON. */
export type Answer<Body> = { status: number; body: Body };

/** One request as its sender names it: by a key of its own, with what it asked for. */
export type KeyedRequest = { key: string; call: string; payload: unknown };

const { idempotencyKeyHours: hours } = limits;

/**
 * Requests that may be sent again without doing anything twice (the Idempotency-Key header,
 * draft-ietf-httpapi-idempotency-key-header). Keys belong to an account and live for a day.
 */
export function createIdempotency({ db }: { db: Database }) {
  /**
   * Does `work` once for a key: the same request again gets the same answer, one sent meanwhile
   * waits for it. Key, answer and what `work` writes commit together, so a crash leaves all or
   * nothing; a refusal leaves nothing, and the key may be tried again.
   * Refuses another request under a known key with key-reused.
   */
  async function once<Body>(
    viewer: Viewer,
    { key, call, payload }: KeyedRequest,
    work: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body> & { replayed: boolean }> {
    const id = { accountId: viewer.id, key };
    const fingerprint = fingerprintOf(call, payload);
    return db.transaction(async () => {
      if (await takeKey(db, { ...id, fingerprint, hours })) {
        const answer = await work();
        await keepAnswer(db, id, answer);
        return { ...answer, replayed: false };
      }
      const earlier = await findAnswer(db, id);
      if (!earlier?.fingerprint.equals(fingerprint)) throw refuse("key-reused");
      const { status, answer } = earlier;
      if (status === null) throw new Error("a key was committed without its answer");
      return { status, body: answer as Body, replayed: true };
    });
  }

  return { once, sweep: () => sweepKeys(db, hours) };
}

function fingerprintOf(call: string, payload: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([call, payload]))
    .digest();
}
