import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isId } from "#server/platform/db/ids.ts";

/** RFC 2104, section 5: a MAC may be cut to half of its length. */
const macBytes = 16;
const form = /^[\w-]{43}$/;

export type ImagePasses = ReturnType<typeof createImagePasses>;

/**
 * Passes in the addresses of images that are not for everyone, for apps and programs, which send no cookie
 * with an image. A pass names one image and the session, or the app's token, that it was given to: it is
 * good for as long as that one is, and shows only what its member may see at each request.
 */
export function createImagePasses({ secret }: { secret: string }) {
  const own = Buffer.from(hkdfSync("sha256", secret, "", "postcard picture-passes", 32));

  function macOf(holder: Buffer, key: string): Buffer {
    return createHmac("sha256", own).update(holder).update(key).digest().subarray(0, macBytes);
  }

  /** `holder`: the id of a session or of an app's token. */
  function issue(holder: string, key: string): string {
    const id = Buffer.from(holder.replaceAll("-", ""), "hex");
    return Buffer.concat([id, macOf(id, key)]).toString("base64url");
  }

  /** Whom a pass for this image was given to; null for what is none. */
  function read(pass: unknown, key: string): string | null {
    if (typeof pass !== "string" || !form.test(pass)) return null;
    const bytes = Buffer.from(pass, "base64url");
    const id = bytes.subarray(0, -macBytes);
    if (!timingSafeEqual(bytes.subarray(-macBytes), macOf(id, key))) return null;
    const holder = id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    return isId(holder) ? holder : null;
  }

  return { issue, read };
}
