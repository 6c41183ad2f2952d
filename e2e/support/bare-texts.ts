import type { Page } from "@playwright/test";
import { writtenLanguages } from "../../app/features/settings/written-languages.ts";

/** The same in every language: names of services and programs, languages as their speakers call them. */
const sameEverywhere = [
  "Postcard",
  "Instagram",
  "Mastodon",
  "Pixelfed",
  "Google Photos",
  "Flickr",
  "PostgreSQL",
  "UTC",
  ...writtenLanguages.map(([, name]) => name),
];

/**
 * What a page in the pseudo-language says without accents, and so is no message: texts, and what is read aloud or
 * shown of attributes. `known`: what people wrote themselves. One line each.
 */
export async function bareTexts(page: Page, known: readonly string[]): Promise<string[]> {
  const said = await page.evaluate(() => {
    const found = [document.title];
    const attributes = ["alt", "aria-label", "aria-description", "aria-roledescription", "title"];
    for (const element of document.querySelectorAll("body, body *")) {
      if (element.closest("script, style, noscript, template, code, textarea")) continue;
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) found.push(child.textContent ?? "");
      }
      for (const name of [...attributes, "placeholder"]) {
        found.push(element.getAttribute(name) ?? "");
      }
    }
    return found;
  });
  const own = [...known, ...sameEverywhere].toSorted((one, other) => other.length - one.length);
  const bare = said
    .map((text) => own.reduce((left, each) => left.replaceAll(each, " "), text).trim())
    // Letters of the pseudo-language are accented; a username or an address has a sign before or after it.
    .filter((text) => /(?<![\p{L}@#./:_-])[A-Za-z]{3,}(?![\p{L}@./:_-]|\d)/u.test(text));
  return [...new Set(bare)];
}
