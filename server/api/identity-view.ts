import { z } from "zod";
import type { Features } from "#server/features/index.ts";
import type { Viewer } from "#shared/views.ts";

/** The signed-in identity, with the fields the specification gives it (section 3). */
export const identitySchema = z
  .object({
    uid: z.uuid().describe("`_id` of the account"),
    displayName: z.string().describe("full name; the username where none was given"),
    photoURL: z.url().nullable(),
    email: z.string(),
    username: z.string(),
  })
  .meta({ id: "Identity", description: "The signed-in member; no one else sees the email." });

export function identityOf(
  { visitorUploads }: Pick<Features, "visitorUploads">,
  viewer: Viewer,
): z.output<typeof identitySchema> {
  const { id, name, avatar, email, username } = viewer;
  const photoURL = avatar && visitorUploads.addressOf(avatar);
  return { uid: id, displayName: name, photoURL, email, username };
}
