import crypto from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { s3Environment } from "#server/test/image-stores.ts";
import { asWebp } from "#server/test/images.ts";

/** A fault that a test puts between a request and the server. */
type Fault =
  /** answers every request with this status */
  | { status: number }
  /** accepts the request and never answers */
  | "silent"
  /** sends the beginning of an image and then nothing more */
  | "stalling"
  /** closes the connection */
  | "broken"
  /** closes it in the middle of the answer */
  | "cut";

/**
 * A real S3-speaking server (s3rver), which checks signatures, on a folder of its own, with one bucket.
 * `asked` lists the requests since it was last emptied; `fails` decides whether a request gets through.
 */
export async function startS3Server() {
  const directory = mkdtempSync(join(tmpdir(), "postcard-s3-"));
  bringBackDes();
  const s3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: "pictures" }],
  });
  await s3rver.configureBuckets();
  const answer = s3rver.callback();
  const state = {
    asked: [] as string[],
    fails: (_request: string): Fault | null => null,
  };
  const server = createServer((request, reply) => {
    const said = `${request.method} ${request.url}`;
    state.asked.push(said);
    const fault = state.fails(said);
    if (fault === "silent") request.resume();
    else if (fault === "broken") request.socket.destroy();
    else if (fault === "cut") {
      const write = reply.write.bind(reply) as (bytes: Buffer) => boolean;
      reply.write = (bytes: Buffer) => {
        setImmediate(() => request.socket.destroy());
        return write(bytes.subarray(0, bytes.length >> 1));
      };
      answer(request, reply);
    } else if (fault === "stalling") {
      reply.writeHead(200, { "Content-Length": 100_000 });
      reply.write(asWebp("x".repeat(99_988)).subarray(0, 50_000));
    } else if (fault) {
      request.resume();
      reply.writeHead(fault.status).end();
    } else answer(request, reply);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(state, {
    endpoint,
    /** where its objects are stored as files, with other files beside them */
    directory,
    /** An operator's settings for a folder of its bucket. */
    environment: (folder: string) => s3Environment(endpoint, folder),
    /** The same for backups. */
    backups: (folder: string) => {
      const { IMAGE_STORE: address, ...keys } = s3Environment(endpoint, folder);
      return { BACKUP_DIR: address, ...keys };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      s3rver.logger.exceptions.unhandle();
      s3rver.logger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

/**
 * s3rver writes its page tokens in single DES, which OpenSSL 3 removed. Triple DES with the same key three
 * times is the same cipher.
 */
function bringBackDes(): void {
  if (desIsBack) return;
  desIsBack = true;
  for (const name of ["createCipheriv", "createDecipheriv"] as const) {
    const real = crypto[name] as (algorithm: string, key: Buffer, ...rest: unknown[]) => unknown;
    const withDes: typeof real = (algorithm, key, ...rest) =>
      algorithm === "des"
        ? real("des-ede3-cbc", Buffer.concat([key, key, key]), ...rest)
        : real(algorithm, key, ...rest);
    Object.assign(crypto, { [name]: withDes });
  }
}
let desIsBack = false;
