import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pseudoLanguage, sourceLanguage } from "../scripts/lib/languages.mjs";
import type { Message } from "../shared/messages.ts";
import { pseudo } from "./pseudo.ts";

export type { Message };
export type Messages = Record<string, Message>;

const folder = import.meta.dirname;

/** The files of messages, by their names: `identity.json`. */
export const messageFiles = () =>
  readdirSync(join(folder, sourceLanguage)).filter((name) => name.endsWith(".json"));

/** Those of the server's own sentences, by their English text. */
export const saidFiles = ["checks.json", "refusals.json"];

/** The messages of one file as they are translated so far; empty where there is no such file. */
export function readMessages(language: string, file: string): Messages {
  const path = join(folder, language, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Messages) : {};
}

/** All messages of one file in a language: what is not translated is English. */
export function messagesOf(language: string, file: string): Messages {
  const english = readMessages(sourceLanguage, file);
  if (language === pseudoLanguage) return pseudoMessages(file, english);
  return { ...english, ...readMessages(language, file) };
}

function pseudoMessages(file: string, english: Messages): Messages {
  if (file === "language.json") {
    return { ...english, tag: pseudoLanguage, name: pseudo("English"), state: "draft" };
  }
  // English has none of the server's sentences there: they are where they are declared.
  const sentences = saidFiles.includes(file) ? Object.keys(readMessages("de", file)) : [];
  const all = { ...english, ...Object.fromEntries(sentences.map((said) => [said, said])) };
  return Object.fromEntries(
    Object.entries(all).map(([name, message]) => [name, inPseudo(message)]),
  );
}

function inPseudo(message: Message): Message {
  if (typeof message === "string") return pseudo(message);
  return Object.fromEntries(
    Object.entries(message).map(([form, sentence]) => [form, pseudo(sentence)]),
  );
}
