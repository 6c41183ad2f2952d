import { createHash } from "node:crypto";
import { skippedMessage } from "#server/features/archive/skipped.ts";
import { preparePost, type PreparedPost } from "#server/features/archive/prepare.ts";
import { shown } from "#server/features/archive/zip-entry.ts";
import type { OpenZip } from "#server/features/archive/zip-reader.ts";
import type { ArchiveKind } from "#shared/archive.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

/** Nobody posted photos on the web before, epoch ms. */
const earliest = Date.UTC(1990);

/** A post as an export of another service has it. */
export type ExportedPost = {
  /** what tells it apart there; where there is nothing, its time and its photos do */
  id: string | null;
  /** epoch ms; NaN where it does not say */
  time: number;
  caption: string;
  language?: string | null;
  /** any number: more than ten become several posts */
  pictures: { file: string; alt: string; focalPoint: FocalPoint | null }[];
  /** the widest that it may have: the importer's choice narrows it */
  audience: Audience;
  warning: string | null;
  sensitive: boolean;
};

/** What a service's own reader found. */
export type ReadExport = {
  posts: ExportedPost[];
  /** what does not come over and why, as the end of a sentence that begins with a number */
  leftOut: Map<string, number>;
};

/** Counts what does not come over. `one` and `more` are the sentence after the number. */
export function countOut(
  leftOut: ReadExport["leftOut"],
  [one, more]: readonly [one: string, more: string],
  count = 1,
): void {
  if (count === 0) return;
  const key = `${one}\n${more}`;
  leftOut.set(key, (leftOut.get(key) ?? 0) + count);
}

/** "3 videos: Postcard has photos and words." */
export const leftOutSentences = (leftOut: ReadExport["leftOut"]): string[] =>
  [...leftOut].map(([words, count]) => {
    const [one = "", more = ""] = words.split("\n");
    return `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
  });

type From = { kind: ArchiveKind; zip: Pick<OpenZip, "has" | "fingerprint"> };

/** The posts in the order of their days, each once, sets in parts of ten. */
export function inOrder(from: From, posts: readonly ExportedPost[]): ExportedPost[] {
  const parts = posts.flatMap((post) => partsOf(post));
  const once = new Map(parts.map((post) => [keyOf(from, post), post]));
  return [...once]
    .toSorted(
      ([one, { time: a }], [other, { time: b }]) => order(a) - order(b) || (one < other ? -1 : 1),
    )
    .map(([, post]) => post);
}

const order = (time: number) => (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time);

/** The first has the words; a profile shows the newest first, so the others are a moment earlier. */
function partsOf(post: ExportedPost): ExportedPost[] {
  const most = limits.photosPerPost;
  const { pictures, id } = post;
  if (pictures.length <= most) return [post];
  const parts: ExportedPost[] = [];
  for (let at = 0; at < pictures.length; at += most) {
    const part = { ...post, pictures: pictures.slice(at, at + most), time: post.time - at / most };
    if (at === 0) parts.push(part);
    else parts.push({ ...part, id: id && `${id} ${at}`, caption: "" });
  }
  return parts;
}

/**
 * A post's key here: the same for the same post of the same export, however often it is imported. Two with the
 * same time differ by their photos.
 */
function keyOf({ kind, zip }: From, { id, time, pictures }: ExportedPost): string {
  const files = pictures.map(({ file }) => (zip.has(file) ? zip.fingerprint(file) : file));
  const hash = createHash("sha256").update(JSON.stringify(id ?? [time, files]));
  return `${kind}:${hash.digest("hex").slice(0, 32)}`;
}

/** A post as it may be published, or the sentence that says why not. */
export function prepareExported(from: From, post: ExportedPost): PreparedPost {
  const { pictures, time, audience, ...words } = post;
  const key = keyOf(from, post);
  const label = labelOf(time);
  const skip = (why: string) => {
    return { id: null, key, label, time: 0, skipped: skippedMessage(label, why) };
  };
  if (!isPossible(time)) return skip(`${fileOf(post)}we can't tell its day, or it can't be right`);
  const missing = pictures.filter(({ file }) => !from.zip.has(file)).length;
  if (missing > 0) {
    const photos = missing === 1 ? "a photo of it isn't" : `${missing} photos of it aren't`;
    return skip(`${photos} in this file. If your export came in parts, put them into one zip`);
  }
  const prepared = preparePost(
    {
      ...notExported,
      ...words,
      id: null,
      earlier: [],
      time,
      language: post.language ?? null,
      pictures: pictures.map((picture) => ({ ...picture, sha256: null })),
      audience,
    },
    { key, label },
  );
  return { ...prepared, asChosen: true };
}

/** What other services do not say. */
const notExported = {
  timeZone: "UTC",
  editedAt: null,
  showCamera: false,
  showPlace: false,
  commentsFrom: "everyone",
} as const;

/** Where a post is one photo, its file says which. */
const fileOf = ({ pictures }: ExportedPost) =>
  pictures.length === 1 ? `${shown(pictures[0]?.file ?? "")}: ` : "";

const isPossible = (time: number) => time >= earliest && time <= Date.now();

const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** For sentences: exports have no numbers. */
function labelOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? `The post of ${day.format(time)}` : "A post without a day";
}
