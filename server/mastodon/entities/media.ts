import { encode } from "blurhash";
import { thumbHashToRGBA } from "thumbhash";
import { absoluteImageUrl, largestVariant, type ImageBases } from "#shared/image-urls.ts";
import { refuse } from "#shared/errors.ts";
import { focalPoint, type FocalPoint } from "#shared/focal-point.ts";
import { decimalOf, readDecimal } from "#server/platform/db/decimal-ids.ts";
import { initialsPath } from "#server/mastodon/initials.ts";
import type { AccountSummary, ImageView } from "#shared/views.ts";

/**
 * Recently made blurhashes, by the thumbhash they are made from: making one costs a tenth of a millisecond.
 */
const made = new Map<string, string>();
const mostMade = 5000;

/** The blurred preview that apps draw, made from the one we store (evanw.github.io/thumbhash, blurha.sh). */
function blurhashOf(thumbhash: string): string | null {
  const known = made.get(thumbhash);
  if (known !== undefined) return known;
  try {
    const { w, h, rgba } = thumbHashToRGBA(Buffer.from(thumbhash, "base64"));
    const [across, down] = w > h ? [4, 3] : w < h ? [3, 4] : [4, 4];
    const blurhash = encode(new Uint8ClampedArray(rgba), w, h, across, down);
    if (made.size >= mostMade) made.clear();
    made.set(thumbhash, blurhash);
    return blurhash;
  } catch {
    // Thumbhashes of archives and old versions can be any bytes.
    return null;
  }
}

/**
 * The id of an image, before it is in a post and after: made from its key, which is all that a post shows of
 * it.
 */
export const mediaIdOf = ({ key }: Pick<ImageView, "key">): string =>
  BigInt(`0x${key.slice(0, 15)}`).toString();

/** The beginning of the key of the image with this id; null if it can't be an image's id. */
export function keyPrefix(mediaId: string): string | null {
  const hex = readDecimal(mediaId) === null ? "" : BigInt(mediaId).toString(16).padStart(15, "0");
  return hex.length === 15 ? hex : null;
}

const focus = /^\s*([-+]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*([-+]?(?:\d+(?:\.\d+)?|\.\d+))\s*$/;

/** docs.joinmastodon.org/api/guidelines/#focal-points: `x,y`. Refuses with input-invalid. */
export function readFocus(typed: string | undefined): FocalPoint | undefined {
  if (typed === undefined || typed.trim() === "") return undefined;
  const [, ...numbers] = focus.exec(typed) ?? [];
  const point = focalPoint.safeParse(numbers.map(Number));
  if (point.success) return point.data;
  throw refuse("input-invalid", { message: "A focus is two numbers from -1.0 to 1.0: x,y." });
}

const size = ({ width, height }: { width: number; height: number }) => ({
  width,
  height,
  size: `${width}x${height}`,
  aspect: width / height,
});

/** The focal point, from -1 to 1, as Mastodon counts: right and up. */
function focusOf({ width, height, focus, focalPoint: chosen }: ImageView): {
  x: number;
  y: number;
} {
  if (chosen) return { x: chosen[0], y: chosen[1] };
  if (focus === null || focus === undefined) return { x: 0, y: 0 };
  const longSide = Math.max(width, height);
  const square = Math.min(width, height);
  const middle = ((focus / 100) * (longSide - square) + square / 2) / longSide;
  const at = Math.round((2 * middle - 1) * 100) / 100;
  return width > height ? { x: at, y: 0 } : { x: 0, y: 0 - at };
}

/**
 * docs.joinmastodon.org/entities/MediaAttachment. An image that is not for everyone has a pass, since apps
 * send no token with it.
 */
export function mediaEntity(bases: ImageBases, image: ImageView) {
  const whole = largestVariant(image);
  const small = largestVariant(image, 640);
  const url = absoluteImageUrl(bases, image, whole.width);
  return {
    id: mediaIdOf(image),
    type: "image" as const,
    url,
    preview_url: absoluteImageUrl(bases, image, small.width),
    remote_url: null,
    preview_remote_url: null,
    text_url: null,
    meta: { original: size(whole), small: size(small), focus: focusOf(image) },
    description: image.alt === "" ? null : image.alt,
    blurhash: blurhashOf(image.thumbhash),
  };
}

/** The address of an account's avatar, or of its initials if it has none: never null. */
export function avatarUrl(
  bases: ImageBases,
  { id, name, avatar }: Pick<AccountSummary, "id" | "name" | "avatar">,
): string {
  if (!avatar) return bases.publicUrl + initialsPath(decimalOf(id), name);
  return absoluteImageUrl(bases, avatar, largestVariant(avatar, 640).width);
}
