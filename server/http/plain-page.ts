import type { FastifyReply, FastifyRequest } from "fastify";
import { sourceLanguage } from "../../scripts/lib/languages.mjs";
import { languageOf } from "#server/http/language.ts";
import { messagesIn, sayingIn } from "#server/platform/messages.ts";
import type { Refusal } from "#shared/errors.ts";

/** Whether a person looks at the answer, rather than a program. */
export function wantsPage({ url, headers }: Pick<FastifyRequest, "url" | "headers">): boolean {
  const forPrograms = /^\/(?:api|v1|images|health)(?:\/|$)/.test(url);
  return !forPrograms && (headers.accept ?? "").includes("text/html");
}

/** A page for when the screens cannot answer: before they are reached, or when they failed. */
export function sendPlainPage(reply: FastifyReply, { status, message, retryAfter }: Refusal): void {
  const { raw, request } = reply;
  if (raw.headersSent) {
    raw.destroy();
    return;
  }
  raw.statusCode = status;
  raw.setHeader("Content-Type", "text/html; charset=utf-8");
  raw.setHeader("Cache-Control", "no-store");
  raw.setHeader("Content-Security-Policy", "default-src 'none'; form-action 'self'");
  if (retryAfter !== undefined) raw.setHeader("Retry-After", String(retryAfter));
  const { languages = [] } = request.server;
  const language = languageOf(request.headers, languages, request.viewer) || sourceLanguage;
  const { direction, goHome, say } = plainWordsOf(language);
  raw.end(
    `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><title>Postcard</title>` +
      `<h1>Postcard</h1><p>${say(message)}</p><p><a href="/">${goHome}</a></p>`,
  );
}

/** What answers need of a language that no screens make. */
type PlainWords = {
  direction: string;
  goHome: string;
  /** a sentence of ours in this language */
  say: (sentence: string) => string;
};

/** Made once: a crowd is refused with them. */
const known = new Map<string, PlainWords>();

function plainWordsOf(language: string): PlainWords {
  const words = known.get(language) ?? make(language);
  known.set(language, words);
  return words;
}

function make(language: string): PlainWords {
  return {
    direction: messagesIn(language, "language.json").direction,
    goHome: messagesIn(language, "shell.json").goHome,
    say: sayingIn(language, "refusals.json"),
  };
}
