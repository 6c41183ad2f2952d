import { readMessages } from "../../messages/read.ts";
import { sayingBy } from "#shared/said-sentences.ts";

/** Any translation has the sentences of all (messages/messages.test.ts). */
const inGerman = sayingBy(readMessages("de", "refusals.json"), {
  formOf: () => "in German",
  count: String,
  day: String,
});

/** The library of uploads says some of its own: of headers that our pages always send. */
const ofHeaders = /^(Tus-|Invalid upload-|creation-)/;

export const untranslated = (sentences: readonly string[]): string[] =>
  sentences.filter((sentence) => inGerman(sentence) === sentence && !ofHeaders.test(sentence));

type Answered = { error?: { message?: unknown; fields?: Record<string, unknown> } };

/** The sentences of a refused call that nobody would be shown in another language than English. */
export function untranslatedIn(payload: unknown): string[] {
  const { error } = readJson(payload) ?? {};
  if (typeof error?.message !== "string") return [];
  const said = [error.message, ...Object.values(error.fields ?? {}).map(String)];
  return untranslated(said);
}

function readJson(payload: unknown): Answered | null {
  if (typeof payload !== "string" || !payload.startsWith('{"error":{')) return null;
  return JSON.parse(payload) as Answered;
}
