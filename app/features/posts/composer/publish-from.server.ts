import { createHash } from "node:crypto";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/**
 * Publishes what the composer's form holds.
 *
 * The key that makes a repeated submit harmless stands in the form; the words are part of it, so
 * that a page the browser kept (Back) can be used for another post.
 */
export function publishFrom(
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
  imageId: string,
  mark = imageId,
): Promise<{ number: number }> {
  const { caption = "", alt = "", timeZone = "UTC", clientKey = "" } = fields;
  return features.posts.publish(viewer, {
    caption,
    pictures: imageId ? [{ imageId, alt }] : [],
    timeZone,
    clientKey: clientKey ? digest(`${clientKey}\n${mark}\n${caption}`) : null,
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
