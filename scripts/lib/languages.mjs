// The languages of the screens: a folder of messages each (docs/translating.md). Plain JavaScript without
// dependencies, because the build asks before anything is installed; server/config.ts asks the same.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project.mjs";

/** What every message falls back to, and what is always built. */
export const sourceLanguage = "en";

/** English with accents, brackets and a third more letters, by which one sees what is no message yet. */
export const pseudoLanguage = "en-XA";

/** The entries of LANGUAGES. */
export const languagesIn = (text = "") =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

/** Those with messages of their own. */
export function translatedLanguages() {
  const folder = join(projectRoot, "messages");
  return readdirSync(folder).filter(
    (name) => name !== sourceLanguage && existsSync(join(folder, name, "language.json")),
  );
}

/** Every language that can be offered. */
export const knownLanguages = () => [sourceLanguage, ...translatedLanguages(), pseudoLanguage];

/** Those that are built besides English; the server refuses unknown names. */
export function languagesToBuild(text) {
  const known = knownLanguages();
  const asked = new Set(languagesIn(text));
  return [...asked].filter((name) => name !== sourceLanguage && known.includes(name));
}
