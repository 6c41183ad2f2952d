import { Agent, request } from "node:http";
import type { Ledger } from "./ledger.ts";

export type Member = { email: string; username: string; cookie: string };

/** The server that clients send to: after a restart it has another address. */
export type Server = { address: string; ledger: Ledger };

/** What a client sends; `form` is sent as multipart. */
type Sent = {
  member?: Member | null;
  json?: unknown;
  body?: Buffer;
  form?: FormData;
  headers?: Record<string, string>;
  /** milliseconds until the client gives up */
  patience?: number;
  /** statuses besides 2xx that are no fault */
  expects?: readonly number[];
};

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** milliseconds */
  took: number;
};

/** No answer: the server died, refused the connection, or the client timed out. */
class NoAnswer extends Error {}
/** An answer to come again later: 413, 429, 503 or 507. */
export class Later extends Error {}

/** 413 is the share of newcomers on a disk that fills up: temporary, so it says when (RFC 9110, 15.5.14). */
const later = new Set([413, 429, 503, 507]);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/**
 * One request. Returns an answer of 2xx or of `expects`; throws Later if it is to come again later, and
 * NoAnswer without an answer. Every other answer, and a refusal that does not say when to come again, is
 * recorded in the ledger as wrong and throws.
 */
export async function ask(
  { address, ledger }: Server,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const answer = await send(address, method, path, sent).catch((error: Error) => {
    ledger.state.gone += 1;
    throw new NoAnswer(error.message);
  });
  const { status, headers, took } = answer;
  if ((status >= 200 && status < 300) || sent.expects?.includes(status)) return answer;
  if (later.has(status)) {
    ledger.state.refused += 1;
    ledger.state.slowestRefusal = Math.max(ledger.state.slowestRefusal, took);
    if (!headers["retry-after"]) ledger.isWrong(`${method} ${path}: ${status} without Retry-After`);
    throw new Later(String(status));
  }
  ledger.isWrong(`${method} ${path}: ${status} ${answer.text.slice(0, 160)}`);
  throw new Error(`${method} ${path} answered ${status}`);
}

/** The same without judging the answer. Rejects if no whole answer comes. */
export async function send(
  address: string,
  method: string,
  path: string,
  { member, json, body, form, headers = {}, patience = 30_000 }: Sent = {},
): Promise<Answer> {
  const bytes = form
    ? Buffer.from(await new Response(form).arrayBuffer())
    : (body ?? (json === undefined ? null : Buffer.from(JSON.stringify(json))));
  const type = form
    ? multipartType(bytes as Buffer)
    : json === undefined
      ? null
      : "application/json";
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, address),
      {
        method,
        agent,
        headers: {
          ...(member ? { cookie: member.cookie } : {}),
          ...(type ? { "content-type": type } : {}),
          ...(bytes ? { "content-length": bytes.length } : {}),
          ...headers,
        },
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on("data", (piece: Buffer) => pieces.push(piece));
        incoming.on("error", reject);
        incoming.on("end", () => {
          clearTimeout(late);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(pieces).toString(),
            took: performance.now() - started,
          });
        });
        incoming.on("close", () => incoming.complete || reject(new Error("cut")));
      },
    );
    const late = setTimeout(() => outgoing.destroy(new Error("no answer")), patience);
    outgoing.on("error", (error) => {
      clearTimeout(late);
      reject(error);
    });
    outgoing.end(bytes ?? undefined);
  });
}

/** The boundary that FormData chose is in its first line. */
function multipartType(bytes: Buffer): string {
  const end = bytes.indexOf("\r\n");
  return `multipart/form-data; boundary=${bytes.toString("latin1", 2, end)}`;
}
