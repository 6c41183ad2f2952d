import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import pLimit, { type LimitFunction } from "p-limit";
import { askPublicWeb, publicWebAddress } from "#server/adapters/public-web.ts";

/** Why a photo could not be fetched, as the end of a sentence. */
export type FetchProblem = "address" | "answer" | "type" | "size";

type Fetched = {
  /** that arrived, also of what could not be fetched */
  bytes: number;
  /** null: all of it is in the file */
  problem: FetchProblem | null;
};

/** Fetches photos of others at addresses that members give. */
export type PhotoFetcher = {
  /**
   * Writes the photo at an address to a file, of `most` bytes at most: https at its usual port, a public host, also
   * behind redirects. What is there is not looked at. Throws only what the file system throws.
   */
  fetch: (address: string, path: string, signal: AbortSignal) => Promise<Fetched>;
};

type Options = {
  publicUrl: string;
  /** of one photo */
  most: number;
  /** tests have their photos on this machine */
  loopback?: boolean;
  /** for all of a photo, its redirects included */
  timeoutMs?: number;
};

const mostRedirects = 3;

export function createPhotoFetcher({
  publicUrl,
  most,
  loopback = false,
  timeoutMs = 30_000,
}: Options): PhotoFetcher {
  const headers = {
    accept: "image/*",
    "accept-encoding": "identity",
    "user-agent": `Postcard (+${publicUrl})`,
  };
  const hosts = new Map<string, LimitFunction>();

  async function fetchNow(address: string, path: string, given: AbortSignal): Promise<Fetched> {
    const signal = AbortSignal.any([given, AbortSignal.timeout(timeoutMs)]);
    let url = publicWebAddress(address, loopback);
    for (let asked = 0; url && asked <= mostRedirects; asked += 1) {
      const answer = await askPublicWeb(url, { method: "GET", headers, signal, loopback }).catch(
        () => null,
      );
      if (!answer) return failed("answer");
      const { location } = answer.headers;
      if (!isRedirect(answer) || !location) return save(answer, path, most);
      answer.destroy();
      url = URL.canParse(location, url)
        ? publicWebAddress(new URL(location, url).href, loopback)
        : null;
    }
    return failed(url ? "answer" : "address");
  }

  /** One at a time of each host: nobody is flooded. */
  async function inTurn(address: string, path: string, signal: AbortSignal): Promise<Fetched> {
    const host = publicWebAddress(address, loopback)?.host;
    if (host === undefined) return failed("address");
    const limit = hosts.get(host) ?? pLimit(1);
    hosts.set(host, limit);
    try {
      return await limit(async () =>
        signal.aborted ? failed("answer") : fetchNow(address, path, signal),
      );
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) hosts.delete(host);
    }
  }

  return { fetch: inTurn };
}

const failed = (problem: FetchProblem, bytes = 0): Fetched => ({ bytes, problem });

const isRedirect = ({ statusCode = 0 }: IncomingMessage) =>
  [301, 302, 303, 307, 308].includes(statusCode);

async function save(answer: IncomingMessage, path: string, most: number): Promise<Fetched> {
  const refused = problemOf(answer, most);
  if (refused) {
    answer.destroy();
    return failed(refused);
  }
  let bytes = 0;
  async function* bounded(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > most) return;
      yield chunk;
    }
  }
  try {
    await pipeline(answer, bounded, createWriteStream(path, { flags: "wx" }));
  } catch (error) {
    // Leaving the loop ends the connection.
    if (bytes > most) return failed("size", bytes);
    const { syscall = "" } = error as NodeJS.ErrnoException;
    if (["open", "write", "close"].includes(syscall)) throw error;
    return failed("answer", bytes);
  }
  return bytes === 0 ? failed("answer") : { bytes, problem: null };
}

function problemOf({ statusCode, headers }: IncomingMessage, most: number): FetchProblem | null {
  if (statusCode !== 200) return "answer";
  if (!/^image\//i.test(headers["content-type"] ?? "")) return "type";
  return Number(headers["content-length"] ?? 0) > most ? "size" : null;
}
