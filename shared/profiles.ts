import { limits } from "#shared/limits.ts";
import { namesOf } from "#shared/records.ts";
import { cleanName, cleanText, isBlank, lengthProblem } from "#shared/text.ts";
import { parseWebAddress } from "#shared/web-address.ts";

/** What the database takes of each, bytes: far above the limits in characters. */
const bytes = { name: 2000, bio: 16_000 };

/** The error for a first or second name that cannot be saved, null for a valid one. */
export function nameProblem(label: "First name" | "Second name", typed: string): string | null {
  const name = cleanName(typed);
  if (isBlank(name)) return "required*";
  return lengthProblem(label, name, { graphemes: limits.name, bytes: bytes.name });
}

export function bioProblem(typed: string): string | null {
  return lengthProblem("Bio", cleanText(typed), { graphemes: limits.bio, bytes: bytes.bio });
}

/** A name with a dot, then a port or a path: no other scheme, and no email address. */
const lacksScheme = /^([\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+(:\d+)?([/?#]|$)/u;

/**
 * A website's address as it is stored and linked: http or https, the way a browser writes it. People type
 * "ida.example": that becomes https. "" for none, null for an invalid address. A user name in front of the
 * host is refused: it is there to make one site look like another.
 */
export function websiteOf(typed: string): string | null {
  const words = cleanText(typed);
  if (isBlank(words)) return "";
  const text = lacksScheme.test(words) ? `https://${words}` : words;
  const url = parseWebAddress(text);
  if (!url) return null;
  const named = /[^.]\.[^.]/.test(url.hostname) || url.hostname.startsWith("[");
  return named && url.href.length <= limits.website ? url.href : null;
}

export function websiteProblem(typed: string): string | null {
  return websiteOf(typed) === null ? "Invalid URL" : null;
}

/** Text without invisible characters: "" where there is nothing else. */
const orNothing = (typed: string) => (isBlank(typed) ? "" : cleanText(typed));

type Declared = {
  /** of `accounts` */
  column: string;
  /** the error for a value that cannot be saved, null for a valid one */
  problem: (typed: string) => string | null;
  /** how it is stored, where that differs */
  clean: (typed: string) => string;
  /** everybody reads it, as it is, on the profile; otherwise it is a part of the name */
  shown: boolean;
};

/**
 * The text fields of a profile. Its form, call and view, what programs read of it, the archive and the copy
 * that a report stores are made of this table; a new one is a row here, a migration, its schema in
 * profiles.inputs.ts, its control in the form, and its name in docs/export-format.md.
 */
export const profileFields = {
  firstName: {
    column: "first_name",
    problem: (typed: string) => nameProblem("First name", typed),
    clean: cleanName,
    shown: false,
  },
  secondName: {
    column: "second_name",
    problem: (typed: string) => nameProblem("Second name", typed),
    clean: cleanName,
    shown: false,
  },
  bio: { column: "bio", problem: bioProblem, clean: orNothing, shown: true },
  website: {
    column: "website",
    problem: websiteProblem,
    clean: (typed: string) => websiteOf(typed) ?? "",
    shown: true,
  },
} as const satisfies Record<string, Declared>;

export type ProfileField = keyof typeof profileFields;
export type ProfileWords = Record<ProfileField, string>;
export const profileFieldNames = namesOf(profileFields);

export type ShownField = {
  [Name in ProfileField]: (typeof profileFields)[Name]["shown"] extends true ? Name : never;
}[ProfileField];
export const shownFieldNames = profileFieldNames.filter(
  (name): name is ShownField => profileFields[name].shown,
);
