import { isRefusalError, type FieldErrors } from "#shared/refusals.ts";
import * as words from "#messages/shell.json";
import { accountGone, commentGone, postGone } from "#messages/ui.json";
import { loadSentences, said } from "#app/lib/text/said.ts";

/** What the browser knows of a call of ours that failed. */
export type CallError = Error & {
  name: "CallError";
  code: string;
  status: number;
  fields?: FieldErrors | undefined;
  /** seconds, where the answer has a Retry-After */
  retryAfter?: number | undefined;
};

export function callError(
  code: string,
  message: string,
  status: number,
  fields?: FieldErrors,
): CallError {
  return Object.assign(new Error(message), { name: "CallError" as const, code, status, fields });
}

/** The error in a call's answer: `{ error: { code, message } }`, otherwise a plain sentence. */
export function toCallError(status: number, body: unknown): CallError {
  const error = (body as { error?: Partial<CallError> } | null)?.error;
  if (typeof error?.code === "string" && typeof error.message === "string") {
    return callError(error.code, error.message, status, error.fields);
  }
  if (status === 0) return callError("away", words.unreachable, 0);
  // From a proxy, which knows none of our sentences: sending it again would not help.
  if (status === 413) return callError("too-large", words.tooLarge, status);
  return callError("internal", words.unexpectedShort, status);
}

/** Whether this was refused with a sentence: by an answer of the server, or before a request. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && (error.name === "CallError" || isRefusalError(error));
}

/** The details of a refusal besides its sentence; nothing for any other error. */
export function callErrorOf(error: unknown): Partial<CallError> {
  return isCallError(error) ? error : {};
}

/** The sentence for a person, whatever was thrown. */
export function errorMessage(error: unknown): string {
  return isCallError(error) ? said(error.message) : words.unexpectedShort;
}

const goneText = { post: postGone, account: accountGone, comment: commentGone };

/** The same, where the shown content may have been deleted meanwhile. */
export function errorMessageAbout(thing: keyof typeof goneText, error: unknown): string {
  return isGone(error) ? goneText[thing] : errorMessage(error);
}

export function isGone(error: unknown): boolean {
  return callErrorOf(error).code === "not-found";
}

export function isSignedOut(error: unknown): boolean {
  return callErrorOf(error).code === "sign-in-required";
}

/** The server was not reached, or a proxy answered that it is down: try again. */
export function isUnreachable(error: unknown): boolean {
  return [0, 502, 503, 504].includes(callErrorOf(error).status ?? 500);
}

async function call<Answer>(path: string, init: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: { Accept: "application/json", ...init.headers },
      // A stalled request fails like a broken one.
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    throw toCallError(0, null);
  }
  const body: unknown = await response.json().catch(() => null);
  const empty = body === null && response.status !== 204;
  if (response.ok && !empty) return body as Answer;
  await loadSentences();
  throw toCallError(response.status, body);
}

/** Sends a form and reads the JSON answer. @throws CallError with a sentence for people */
export function postForm<Answer>(path: string, fields: Record<string, string>): Promise<Answer> {
  return call(path, { method: "POST", body: new URLSearchParams(fields) });
}

/** Makes a call of /api that changes something, with a JSON body where it takes one. @throws CallError */
export function sendJson<Answer = null>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  return call(path, {
    method,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** PUTs something that has an address under /api, or DELETEs it. @throws CallError */
export function setOrWithdraw<Answer = null>(path: string, set: boolean): Promise<Answer> {
  return sendJson(set ? "PUT" : "DELETE", path);
}

/** Reads JSON. @throws CallError with a sentence for people */
export function getJson<Answer>(path: string): Promise<Answer> {
  return call(path, {});
}
