import { limits } from "#shared/limits.ts";
import { namesOf, recordOf } from "#shared/records.ts";
import { lengthProblem } from "#shared/text.ts";

/** Who may comment on a post, besides its author, who always may. */
export const commenters = ["everyone", "following", "nobody"] as const;

/** `following`: the accounts that the post's author follows. */
export type Commenters = (typeof commenters)[number];

/**
 * Who may see a post, the widest first. A private account's posts are for its followers at most, whatever
 * they say; each of the narrower ones is narrower still.
 */
export const audiences = ["everyone", "followers", "close-friends", "only-me"] as const;
export type Audience = (typeof audiences)[number];

/** `album`: for whoever its album is for. Nobody chooses it: a photo has it that was uploaded into one. */
export const shownAudiences = [...audiences, "album"] as const;
export type ShownAudience = (typeof shownAudiences)[number];

type Declared = {
  /** of `posts` */
  column: string;
  /**
   * the possible values; the first, which is the column's default, is that of a post without the choice.
   * null: words of its author's, and null where there are none
   */
  values: readonly [boolean | string, ...(boolean | string)[]] | null;
  /** everybody reads it with the post */
  shown: boolean;
};

/**
 * What its author decides about a post besides its text and photos. Publishing, editing, drafts, the view
 * and the archive are made of this table; a new one is a row here, a migration, its schemas in
 * posts.inputs.ts, archive.inputs.ts and, where it is shown, views.schemas.ts, its controls, and its name
 * in docs/export-format.md.
 */
export const postChoices = {
  /** everybody sees the camera's metadata: model, lens, exposure, date */
  showCamera: { column: "show_camera", values: [false, true], shown: false },
  /** everybody sees where the photos were taken, to about a kilometre; otherwise it is deleted */
  showPlace: { column: "show_place", values: [false, true], shown: false },
  commentsFrom: { column: "comments_from", values: commenters, shown: true },
  audience: { column: "audience", values: audiences, shown: true },
  /** shown in place of the words and photos until somebody wants to see them */
  warning: { column: "warning", values: null, shown: true },
  /** its photos are veiled until somebody wants to see them: always where there is a warning */
  sensitive: { column: "sensitive", values: [false, true], shown: true },
} as const satisfies Record<string, Declared>;

export type PostChoice = keyof typeof postChoices;
export type PostChoices = {
  [Name in PostChoice]: (typeof postChoices)[Name]["values"] extends readonly (infer Value)[]
    ? Value
    : string | null;
};
export const postChoiceNames = namesOf(postChoices);

export type ShownChoice = {
  [Name in PostChoice]: (typeof postChoices)[Name]["shown"] extends true ? Name : never;
}[PostChoice];
export const shownChoiceNames = postChoiceNames.filter(
  (name): name is ShownChoice => postChoices[name].shown,
);

/** Each as in `said`, where that is a possible value, otherwise the default. */
export function choicesFrom(said: (name: PostChoice) => unknown): PostChoices {
  return recordOf(postChoiceNames, (name) => {
    const { values } = postChoices[name];
    const value = said(name);
    if (values === null) return typeof value === "string" && value !== "" ? value : null;
    return values.find((possible) => possible === value) ?? values[0];
  }) as PostChoices;
}

/** With what follows from them: photos behind a warning are veiled. */
export const withVeil = <Chosen extends Pick<PostChoices, "warning" | "sensitive">>(
  chosen: Chosen,
): Chosen => ({ ...chosen, sensitive: chosen.sensitive || chosen.warning !== null });

export const defaultChoices = choicesFrom(() => undefined);

/** The error for a caption that is too long; null when it fits. Takes the cleaned text. */
export function captionProblem(caption: string): string | null {
  return lengthProblem("A caption", caption, { graphemes: limits.caption, bytes: 65_536 });
}

/** The same for a content warning. */
export function warningProblem(warning: string): string | null {
  return lengthProblem("A content warning", warning, limits.warning);
}

/** The same for a photo's description. */
export function altTextProblem(alt: string): string | null {
  return lengthProblem("A description", alt, { graphemes: limits.altText, bytes: 16_000 });
}

/** Asking the runtime costs as much as the rest of a post's check; there are some 600 names. */
const timeZones = new Set<string>();
const mostTimeZones = 1000;

/** Whether this runtime knows the IANA time zone. */
export function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true;
  try {
    if (name.length > 64 || !new Intl.DateTimeFormat("en", { timeZone: name })) return false;
  } catch {
    return false;
  }
  // With all letter cases one name would be many.
  if (timeZones.size < mostTimeZones) timeZones.add(name);
  return true;
}

/** The texts that the specification stores with a post, read in its author's time zone. */
export type StoredTime = {
  /** day of the month */
  currentDate: number;
  /** 1 to 12 */
  currentMonth: number;
  currentYear: number;
  /** "h:mm am" or "h:mm pm" */
  currentHours: string;
};

/** Costly to build, and needed for every post of a document. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  });
  // There are a few hundred zones, but any number of spellings.
  if (clocks.size >= 1000) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}

/** `createdAt` in epoch milliseconds; five past midnight is "12:05 am". */
export function storedTime(createdAt: number, timeZone: string): StoredTime {
  const parts = Object.fromEntries(
    clockFormat(timeZone)
      .formatToParts(createdAt)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return {
    currentDate: day,
    currentMonth: month,
    currentYear: year,
    currentHours: `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "am" : "pm"}`,
  };
}
