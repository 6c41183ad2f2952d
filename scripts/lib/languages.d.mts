export const sourceLanguage: "en";
export const pseudoLanguage: "en-XA";
export function languagesIn(text?: string): string[];
export function translatedLanguages(): string[];
export function knownLanguages(): string[];
export function languagesToBuild(text?: string): string[];
