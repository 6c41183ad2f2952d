import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isS3Failure, type S3Failure } from "#server/adapters/image-store/s3-answers.ts";
import type { S3Client } from "#server/adapters/image-store/s3-client.ts";
import type { S3Settings } from "#server/adapters/image-store/settings.ts";
import { freshFor } from "#server/platform/fresh-for.ts";

type Deps = { client: S3Client; settings: S3Settings; log: Pick<Logger, "warn" | "error"> };

/** How long an answer about the bucket stays valid, milliseconds. */
const knownForMs = 10_000;
/** How long a caller waits for it. */
const patienceMs = 2000;

/** Whether the bucket can be used as configured: checked at the start and by /health/ready. */
export function createS3Check({ client, settings, log }: Deps) {
  async function list(): Promise<void> {
    await client.list("", 1).next();
  }

  /**
   * Lists, writes and removes. A temporary fault of the bucket does not keep a server from starting; a
   * refusal, or an address where nothing answers, does.
   */
  async function check(): Promise<void> {
    try {
      await list();
      const name = `tmp/${randomUUID()}.check`;
      const body = new Blob(["Postcard can write here."]);
      await client.put(name, { body, type: "text/plain" });
      await client.remove([name]);
    } catch (error) {
      if (!isS3Failure(error)) throw error;
      if (error.status === null || error.status < 500) {
        throw new Error(sentenceOfS3(error, settings, imageStore), { cause: error });
      }
      log.warn({ err: error }, "the image store does not answer properly; Postcard starts anyway");
    }
  }

  const isReady = freshFor(knownForMs, () => {
    const answers = list().then(
      () => true,
      () => false,
    );
    return Promise.race([answers, sleep(patienceMs, false, { ref: false })]);
  });

  return { check, isReady };
}

/** What a bucket is for, in words, and the variables that an operator sets. */
type Purpose = { what: string; variable: string; keys: string };
const imageStore: Purpose = {
  what: "The image store",
  variable: "IMAGE_STORE",
  keys: "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
};

/** A failure of S3 as one sentence for an operator. */
export function sentenceOfS3(
  { status, code }: S3Failure,
  { bucket, endpoint, region }: S3Settings,
  { what, variable, keys }: Purpose,
): string {
  const at = `${what} at ${endpoint}`;
  if (status === null)
    return `${at} can't be reached (${code}): check the endpoint in ${variable}.`;
  if (code === "NoSuchBucket") return `${at} has no bucket "${bucket}": check ${variable}.`;
  if (["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken"].includes(code)) {
    return `${at} doesn't take these keys (${code}): check ${keys}.`;
  }
  if (["AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect"].includes(code)) {
    return `${at} has the bucket "${bucket}" in another region than ${region} (${code}): check ${variable}.`;
  }
  if (status === 401 || status === 403) {
    return `${at} doesn't allow these keys to list, write and remove in "${bucket}" (${code}).`;
  }
  if (status === 507 || /Quota|StorageFull/.test(code)) return `${at} is full (${code}).`;
  if (status === 429 || status >= 500) return `${at} fails at the moment (${status}, ${code}).`;
  return `${at} doesn't answer as S3 does (${status}, ${code}): check the endpoint in ${variable}.`;
}
