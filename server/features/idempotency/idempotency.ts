import { createHash } from "node:crypto";
import type { Database } from "#server/platform/db/database.ts";
import {
  findAnswer,
  storeAnswer,
  sweepKeys,
  claimKey,
  type StoredAnswer,
} from "#server/features/idempotency/idempotency.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** What a call returns: its status and its JSON. */
export type Answer<Body> = { status: number; body: Body };

/** One request as its client identifies it: by a key of its own, and by what it asked for. */
export type KeyedRequest = { key: string; call: string; payload: unknown };

const { idempotencyKeyHours: hours } = limits;

/**
 * Requests that may be sent again without doing anything twice (the Idempotency-Key header,
 * draft-ietf-httpapi-idempotency-key-header). Keys belong to an account and live for a day.
 */
export function createIdempotency({ db }: { db: Database }) {
  /**
   * Does `work` once for a key: the same request sent again gets the same response, and one sent meanwhile
   * waits for it. The key, the response and what `work` writes commit together, so a crash leaves all or
   * nothing; a refusal leaves nothing, and the key may be used again. Refuses a different request under a
   * known key with key-reused.
   */
  async function once<Body>(
    viewer: Viewer,
    { key, call, payload }: KeyedRequest,
    work: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body> & { replayed: boolean }> {
    const id = { accountId: viewer.id, key };
    const fingerprint = fingerprintOf(call, payload);
    return db.transaction(async () => {
      if (await claimKey(db, { ...id, fingerprint, hours })) {
        const answer = await work();
        await storeAnswer(db, id, answer);
        return { ...answer, replayed: false };
      }
      const earlier = await findAnswer(db, { ...id, hours });
      if (!earlier) throw new Error("a key that is taken is not there");
      return { ...known<Body>(earlier, fingerprint), replayed: true };
    });
  }

  /**
   * The response to an earlier request with the key; null for the first one, or while it is in progress.
   * Refuses a different request under a known key with key-reused.
   */
  async function find<Body>(viewer: Viewer, request: KeyedRequest): Promise<Answer<Body> | null> {
    const { key, call, payload } = request;
    const earlier = await findAnswer(db, { accountId: viewer.id, key, hours });
    if (!earlier) return null;
    return known(earlier, fingerprintOf(call, payload));
  }

  return { once, find, sweep: () => sweepKeys(db, hours) };
}

/** The response to an earlier request, if this is the same one. */
function known<Body>({ fingerprint, status, answer }: StoredAnswer, wanted: Buffer): Answer<Body> {
  if (!fingerprint.equals(wanted)) throw refuse("key-reused");
  if (status === null) throw new Error("a key was committed without its answer");
  return { status, body: answer as Body };
}

function fingerprintOf(call: string, payload: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([call, payload]))
    .digest();
}
