import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import type { S3Settings } from "#server/adapters/image-store/settings.ts";
import type { ByteRange } from "#server/adapters/image-store/image-store.ts";

/** What came instead of the answer we asked for. */
export type S3Failure = Error & {
  /** the status of the answer; null where none came */
  status: number | null;
  /** S3's own code (NoSuchBucket, SignatureDoesNotMatch …), or that of the network */
  code: string;
};

export type S3Object = { name: string; changed: Date };

type Asked = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** can be sent again: a file is read anew */
  body?: Blob | string;
};

/** How often each request is sent at most, and how long we wait for the beginning of its answer. */
const bounds = {
  GET: { tries: 2, patienceMs: 10_000 },
  POST: { tries: 3, patienceMs: 20_000 },
  DELETE: { tries: 1, patienceMs: 10_000 },
  PUT: { tries: 3, patienceMs: 60_000 },
} as const;
type Method = keyof typeof bounds;

/** Before another try; doubles, with a part left to chance. */
const pauseMs = 100;
const temporary = new Set([429, 500, 502, 503, 504]);

/** What one listing, and one removal, may name (S3's own limit). */
const mostNames = 1000;

/**
 * The calls of S3 that we need, signed (Signature Version 4), each bounded in time and tries.
 * Fails with an S3Failure. All names are relative to the folder that the operator chose.
 */
export function createS3Client({ prefix, bucket, ...settings }: S3Settings) {
  const { host } = new URL(settings.endpoint);
  // An endpoint may name the bucket before its host.
  const base = host.startsWith(`${bucket}.`) ? settings.endpoint : `${settings.endpoint}/${bucket}`;
  const signingKeys = new Map<string, ArrayBuffer>();

  async function send(method: Method, path: string, asked: Asked): Promise<Response> {
    const { tries, patienceMs } = bounds[method];
    for (let left = tries - 1; ; left -= 1) {
      const answer = await sendOnce(method, path, asked, patienceMs).catch(networkFailure);
      if (answer instanceof Response && answer.ok) return answer;
      const failure = answer instanceof Response ? await failureOf(answer) : answer;
      const mayPass = failure.status === null || temporary.has(failure.status);
      if (!mayPass || left === 0) throw failure;
      await sleep(pauseMs * 2 ** (tries - 1 - left) * (0.5 + Math.random()));
    }
  }

  async function sendOnce(
    method: Method,
    path: string,
    { query = {}, headers, body }: Asked,
    patienceMs: number,
  ): Promise<Response> {
    const url = new URL(path === "" ? base : `${base}/${prefix}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, region } = settings;
    const keys = { accessKeyId, secretAccessKey, region, service: "s3", cache: signingKeys };
    const signer = new AwsV4Signer({ ...keys, method, url: url.href, headers: headers ?? {} });
    const signed = await signer.sign();
    // Not signed: proxies may change it on the way.
    signed.headers.set("Accept-Encoding", "identity");
    const ending = new AbortController();
    const patience = setTimeout(() => ending.abort(timedOut()), patienceMs);
    try {
      return await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body !== undefined && { body }),
        redirect: "manual",
        signal: ending.signal,
      });
    } finally {
      clearTimeout(patience);
    }
  }

  async function put(
    name: string,
    { body, md5, type }: { body: Blob; md5: string; type: string },
  ): Promise<void> {
    const headers = { "Content-Type": type, "Content-MD5": md5 };
    await drop(await send("PUT", name, { body, headers }));
  }

  /**
   * The same for what is too large for one request: each part has its own time and tries. What comes
   * of it when this process dies in between is the bucket's to remove (AbortIncompleteMultipartUpload).
   */
  async function putInParts(
    name: string,
    { body, type, partBytes }: { body: Blob; type: string; partBytes: number },
  ): Promise<void> {
    const headers = { "Content-Type": type };
    const begun = await send("POST", name, { query: { uploads: "" }, headers });
    const uploadId = contentOf(await begun.text(), "UploadId");
    try {
      const tags: string[] = [];
      for (let at = 0; at < body.size; at += partBytes) {
        const part = body.slice(at, at + partBytes);
        const md5 = createHash("md5")
          .update(await part.bytes())
          .digest("base64");
        const query = { partNumber: String(tags.length + 1), uploadId };
        const answer = await send("PUT", name, {
          query,
          body: part,
          headers: { "Content-MD5": md5 },
        });
        tags.push(answer.headers.get("etag") ?? "");
        await drop(answer);
      }
      await complete(name, uploadId, tags);
    } catch (error) {
      await send("DELETE", name, { query: { uploadId } }).then(drop, () => undefined);
      throw error;
    }
  }

  async function complete(name: string, uploadId: string, tags: string[]): Promise<void> {
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`;
    const headers = { "Content-Type": "application/xml" };
    const answer = await send("POST", name, { query: { uploadId }, body, headers });
    // It may say so after it said 200.
    const refused = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(await answer.text())?.[1];
    if (refused) throw failure(answer.status, refused);
  }

  /** The answer with its body still to come; null for what is not there. */
  async function get(name: string, range?: ByteRange): Promise<Response | null> {
    const headers = range && { Range: `bytes=${range.start}-${range.end}` };
    try {
      return await send("GET", name, headers ? { headers } : {});
    } catch (error) {
      if (isS3Failure(error) && error.status === 404 && error.code !== "NoSuchBucket") return null;
      throw error;
    }
  }

  /** What is not there counts as removed. */
  async function remove(names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length; at += mostNames) {
      const listed = names.slice(at, at + mostNames);
      const objects = listed.map((name) => `<Object><Key>${prefix}${name}</Key></Object>`).join("");
      const body = `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects}</Delete>`;
      const md5 = createHash("md5").update(body).digest("base64");
      const headers = { "Content-Type": "application/xml", "Content-MD5": md5 };
      const answer = await send("POST", "", { query: { delete: "" }, body, headers });
      const text = await answer.text();
      const refused = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(text)?.[1];
      if (refused && refused !== "NoSuchKey") throw failure(answer.status, refused);
    }
  }

  /** What lies under a name's beginning, page by page, in the order of the names. */
  async function* list(start: string, most = mostNames): AsyncGenerator<S3Object[]> {
    let next: string | undefined;
    do {
      const query = {
        "list-type": "2",
        "max-keys": String(most),
        prefix: prefix + start,
        ...(next !== undefined && { "continuation-token": next }),
      };
      const text = await (await send("GET", "", { query })).text();
      if (!text.includes("<ListBucketResult")) throw failure(200, "no answer of S3");
      yield [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => ({
        name: contentOf(entry, "Key").slice(prefix.length),
        changed: new Date(contentOf(entry, "LastModified")),
      }));
      const more = contentOf(text, "IsTruncated") === "true";
      next = more ? contentOf(text, "NextContinuationToken") : undefined;
    } while (next);
  }

  return { put, putInParts, get, remove, list };
}

export type S3Client = ReturnType<typeof createS3Client>;

export function isS3Failure(error: unknown): error is S3Failure {
  return error instanceof Error && error.name === "S3Failure";
}

function failure(status: number | null, code: string, cause?: unknown): S3Failure {
  const said = status === null ? "S3 did not answer" : `S3 answered ${status}`;
  const error = new Error(`${said} (${code})`, { cause });
  return Object.assign(error, { name: "S3Failure", status, code });
}

async function failureOf(answer: Response): Promise<S3Failure> {
  // Errors of S3 are short; what else may stand there is not read to its end.
  const text = await firstText(answer, 10_000);
  return failure(answer.status, contentOf(text, "Code") || "no answer of S3");
}

function networkFailure(error: unknown): S3Failure {
  const { cause = error } = error as Error;
  const { code, name } = cause as NodeJS.ErrnoException;
  return failure(null, code ?? name, error);
}

const timedOut = () => Object.assign(new Error("S3 took too long"), { code: "ETIMEDOUT" });

async function firstText(answer: Response, most: number): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > most) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

/** Reads an answer that says nothing, so that its connection serves again. */
async function drop(answer: Response): Promise<void> {
  await answer.arrayBuffer();
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function contentOf(xml: string, tag: string): string {
  const content = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? "";
  return content.replace(/&(lt|gt|quot|apos|amp|#\d+);/g, (whole, name: string) =>
    name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? whole),
  );
}
