import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import {
  contentOf,
  discardBody,
  entriesOf,
  failure,
  failureOf,
  isS3Failure,
  networkFailure,
  throwRefused,
  timedOut,
} from "#server/adapters/image-store/s3-answers.ts";
import { md5Of, partsOf, slicesOf } from "#server/adapters/image-store/s3-parts.ts";
import type { S3Settings } from "#server/adapters/image-store/settings.ts";
import type { ByteRange } from "#server/adapters/image-store/image-store.ts";

export type S3Object = { name: string; changed: Date; bytes: number };

type S3Request = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** can be sent again: a file is read anew */
  body?: Blob | string;
};

/** How often each request is sent at most, and how long we wait for its answer to begin. */
const bounds = {
  GET: { tries: 2, patienceMs: 10_000 },
  POST: { tries: 3, patienceMs: 20_000 },
  DELETE: { tries: 1, patienceMs: 10_000 },
  PUT: { tries: 3, patienceMs: 60_000 },
} as const;
type Method = keyof typeof bounds;

/** Pause before a retry; it doubles, with a random part. */
const pauseMs = 100;
const temporary = new Set([429, 500, 502, 503, 504]);

/** How many names one listing, and one removal, may have (S3's own limit). */
const mostNames = 1000;

/** The bucket, and the keys that sign requests to it. */
type Bucket = S3Settings & { base: string; signingKeys: Map<string, ArrayBuffer> };

/**
 * The calls of S3 that we need, signed (Signature Version 4), each with limited time and tries. Fails with an
 * S3Failure. All names are relative to the folder that the operator chose.
 */
export function createS3Client(settings: S3Settings) {
  const { bucket: called, endpoint } = settings;
  // An endpoint may name the bucket before its host.
  const isNamed = new URL(endpoint).host.startsWith(`${called}.`);
  const base = isNamed ? endpoint : `${endpoint}/${called}`;
  const bucket: Bucket = { ...settings, base, signingKeys: new Map() };
  return {
    put: (name: string, what: { body: Blob; type: string }) => putOne(bucket, name, what),
    putInParts: (name: string, { body, type, partBytes }: InParts) =>
      putParts(bucket, name, type, slicesOf(body, partBytes)),
    /** Puts what comes, which may be long; nothing is there unless all of it came. */
    putStream: async (name: string, { source, type, partBytes }: Streamed): Promise<void> => {
      const parts = partsOf(source, partBytes);
      const { value: first = new Blob([]) } = await parts.next();
      const second = await parts.next();
      if (second.done) return putOne(bucket, name, { body: first, type });
      async function* all(next: Blob) {
        yield first;
        yield next;
        yield* parts;
      }
      return putParts(bucket, name, type, all(second.value));
    },
    /** The answer with its body still to come; null for a missing object. */
    get: (name: string, range?: ByteRange): Promise<Response | null> => {
      const headers = range && { Range: `bytes=${range.start}-${range.end}` };
      return send(bucket, "GET", name, headers ? { headers } : {}).catch((error: unknown) => {
        const isMissing = isS3Failure(error) && error.status === 404;
        if (isMissing && error.code !== "NoSuchBucket") return null;
        throw error;
      });
    },
    /** A missing object counts as removed. */
    remove: async (names: readonly string[]): Promise<void> => {
      for (let at = 0; at < names.length; at += mostNames) {
        await removeSome(bucket, names.slice(at, at + mostNames));
      }
    },
    /** The objects whose names begin so, page by page, in the order of their names. */
    list: (start: string, most = mostNames) => list(bucket, start, most),
    /** The names directly below a folder, page by page, without it: of objects, and of folders. */
    names: (folder: string) => names(bucket, folder),
  };
}

async function send(
  bucket: Bucket,
  method: Method,
  path: string,
  asked: S3Request,
): Promise<Response> {
  const { tries } = bounds[method];
  for (let left = tries - 1; ; left -= 1) {
    const answer = await sendOnce(bucket, method, path, asked).catch(networkFailure);
    if (answer instanceof Response && answer.ok) return answer;
    const failure = answer instanceof Response ? await failureOf(answer) : answer;
    const mayPass = failure.status === null || temporary.has(failure.status);
    if (!mayPass || left === 0) throw failure;
    await sleep(pauseMs * 2 ** (tries - 1 - left) * (0.5 + Math.random()));
  }
}

async function sendOnce(
  { base, prefix, accessKeyId, secretAccessKey, region, signingKeys }: Bucket,
  method: Method,
  path: string,
  { query = {}, headers, body }: S3Request,
): Promise<Response> {
  const url = new URL(path === "" ? base : `${base}/${prefix}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const keys = { accessKeyId, secretAccessKey, region, service: "s3", cache: signingKeys };
  const signer = new AwsV4Signer({ ...keys, method, url: url.href, headers: headers ?? {} });
  const signed = await signer.sign();
  // Not signed: proxies may change it on the way.
  signed.headers.set("Accept-Encoding", "identity");
  const ending = new AbortController();
  const patience = setTimeout(() => ending.abort(timedOut()), bounds[method].patienceMs);
  const answer = fetch(signed.url, {
    method,
    headers: signed.headers,
    ...(body !== undefined && { body }),
    redirect: "manual",
    signal: ending.signal,
  });
  return answer.finally(() => clearTimeout(patience));
}

async function putOne(bucket: Bucket, name: string, { body, type }: { body: Blob; type: string }) {
  const headers = { "Content-Type": type, "Content-MD5": await md5Of(body) };
  await discardBody(await send(bucket, "PUT", name, { body, headers }));
}

type InParts = { body: Blob; type: string; partBytes: number };
type Streamed = { source: AsyncIterable<Uint8Array>; type: string; partBytes: number };

/**
 * Puts what is too large for one request: each part has its own time and tries. If this process dies in
 * between, the bucket must remove the parts (AbortIncompleteMultipartUpload).
 */
async function putParts(bucket: Bucket, name: string, type: string, parts: AsyncIterable<Blob>) {
  const headers = { "Content-Type": type };
  const begun = await send(bucket, "POST", name, { query: { uploads: "" }, headers });
  const uploadId = contentOf(await begun.text(), "UploadId");
  try {
    const tags: string[] = [];
    for await (const part of parts) {
      const answer = await send(bucket, "PUT", name, {
        query: { partNumber: String(tags.length + 1), uploadId },
        body: part,
        headers: { "Content-MD5": await md5Of(part) },
      });
      tags.push(answer.headers.get("etag") ?? "");
      await discardBody(answer);
    }
    await complete(bucket, name, uploadId, tags);
  } catch (error) {
    await send(bucket, "DELETE", name, { query: { uploadId } }).then(discardBody, () => undefined);
    throw error;
  }
}

async function complete(bucket: Bucket, name: string, uploadId: string, tags: string[]) {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`;
  const headers = { "Content-Type": "application/xml" };
  await throwRefused(await send(bucket, "POST", name, { query: { uploadId }, body, headers }));
}

async function removeSome(bucket: Bucket, names: readonly string[]): Promise<void> {
  const keys = names.map((name) => `<Object><Key>${bucket.prefix}${name}</Key></Object>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys.join("")}</Delete>`;
  const md5 = createHash("md5").update(body).digest("base64");
  const headers = { "Content-Type": "application/xml", "Content-MD5": md5 };
  const answer = await send(bucket, "POST", "", { query: { delete: "" }, body, headers });
  await throwRefused(answer, "NoSuchKey");
}

async function* list(bucket: Bucket, start: string, most: number): AsyncGenerator<S3Object[]> {
  for await (const text of listing(bucket, start, { "max-keys": String(most) })) {
    yield entriesOf(text, "Contents").map((entry) => ({
      name: contentOf(entry, "Key").slice(bucket.prefix.length),
      changed: new Date(contentOf(entry, "LastModified")),
      bytes: Number(contentOf(entry, "Size")),
    }));
  }
}

async function* names(bucket: Bucket, folder: string): AsyncGenerator<string[]> {
  const start = bucket.prefix.length + folder.length;
  for await (const text of listing(bucket, folder, { delimiter: "/" })) {
    const objects = entriesOf(text, "Contents").map((entry) => contentOf(entry, "Key"));
    const folders = entriesOf(text, "CommonPrefixes").map((entry) => contentOf(entry, "Prefix"));
    yield [...objects, ...folders.map((name) => name.slice(0, -1))]
      .map((name) => name.slice(start))
      .filter((name) => name !== "");
  }
}

/** The answers of a listing, page by page. */
async function* listing(
  bucket: Bucket,
  start: string,
  asked: Record<string, string>,
): AsyncGenerator<string> {
  let next: string | undefined;
  do {
    const query = {
      "list-type": "2",
      prefix: bucket.prefix + start,
      ...asked,
      ...(next !== undefined && { "continuation-token": next }),
    };
    const text = await (await send(bucket, "GET", "", { query })).text();
    if (!text.includes("<ListBucketResult")) throw failure(200, "no answer of S3");
    yield text;
    const more = contentOf(text, "IsTruncated") === "true";
    next = more ? contentOf(text, "NextContinuationToken") : undefined;
  } while (next);
}

export type S3Client = ReturnType<typeof createS3Client>;
