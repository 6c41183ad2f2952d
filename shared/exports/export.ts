import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ArchiveKind } from "#shared/archive.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { shown } from "#shared/exports/invalid.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

/** Nobody posted photos on the web before, epoch ms. */
const earliest = Date.UTC(1990);

type ExportedPicture = {
  file: string;
  /** where it is on the web, where the export does not have it */
  url?: string;
  alt: string;
  focalPoint: FocalPoint | null;
};

/** A post as an export of another service has it. */
export type ExportedPost = {
  /** what tells it apart there; where there is nothing, its time and its photos do */
  id: string | null;
  /** epoch ms; NaN where it does not say */
  time: number;
  /** the same as its key has it, where a time zone was guessed */
  keyTime?: number;
  caption: string;
  language?: string | null;
  /** any number: more than ten become several posts */
  pictures: ExportedPicture[];
  /** the widest that it may have: the importer's choice narrows it */
  audience: Audience;
  warning: string | null;
  sensitive: boolean;
};

/** The same with its key here. */
export type KeyedPost = ExportedPost & { key: string };

/** What a service's own reader found. */
export type ReadExport = {
  /** the account was private: what it does not say itself is for its followers */
  isPrivate?: boolean;
  posts: ExportedPost[];
  /** what does not come over and why, as the end of a sentence that begins with a number */
  leftOut: Map<string, number>;
};

/** What is no post here, of services where people answer each other. */
export const fediverseWords = {
  reply: [
    "reply: it belongs to a conversation there",
    "replies: they belong to conversations there",
  ],
  direct: [
    "private mention: it was for those it names",
    "private mentions: they were for those they name",
  ],
  poll: ["poll: Postcard has none", "polls: Postcard has none"],
  unreadable: ["post that we can't read", "posts that we can't read"],
} as const;

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

type From = { kind: ArchiveKind; zip: Pick<ExportZip, "has" | "fingerprint"> };

/** The posts in the order of their days, each once, sets in parts of ten. */
export async function inOrder(from: From, posts: readonly ExportedPost[]): Promise<KeyedPost[]> {
  const once = new Map<string, KeyedPost>();
  for (const post of posts.flatMap((each) => partsOf(each))) {
    const key = await keyOf(from, post);
    once.set(key, { ...post, key });
  }
  return [...once.values()].toSorted(
    (one, other) => order(one.time) - order(other.time) || (one.key < other.key ? -1 : 1),
  );
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
async function keyOf(
  { kind, zip }: From,
  { id, time, keyTime, pictures }: ExportedPost,
): Promise<string> {
  const files = [];
  if (id === null)
    for (const { file } of pictures) files.push(zip.has(file) ? await zip.fingerprint(file) : file);
  const hash = sha256(utf8ToBytes(JSON.stringify(id ?? [keyTime ?? time, files])));
  return `${kind}:${bytesToHex(hash).slice(0, 32)}`;
}

/** Why a post cannot come over, as a sentence of its own; null where it can. */
export function problemOf(zip: Pick<ExportZip, "has">, post: ExportedPost): string | null {
  const { time, pictures } = post;
  const skipped = (why: string) => skippedMessage(labelOf(time), why);
  if (!isPossible(time)) return skipped(fileOf(post) + noDay);
  const missing = pictures.filter(({ file, url }) => !url && !zip.has(file)).length;
  if (missing === 0) return null;
  const photos = missing === 1 ? "a photo of it isn't" : `${missing} photos of it aren't`;
  return skipped(`${photos} in this file. If your export came in parts, put them into one zip`);
}

/** Where a post is one photo, its file says which. */
const fileOf = ({ pictures }: ExportedPost) =>
  pictures.length === 1 ? `${shown(pictures[0]?.file ?? "")}: ` : "";

export const noDay = "we can't tell its day, or it can't be right";

export const isPossible = (time: number) => time >= earliest && time <= Date.now();

const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** For sentences: exports have no numbers. */
export function labelOf(time: number): string {
  return Math.abs(time) <= 8.64e15 ? `The post of ${day.format(time)}` : "A post without a day";
}
