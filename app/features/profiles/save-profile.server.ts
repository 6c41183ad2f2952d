import { profileFieldNames } from "#shared/profiles.ts";
import { pick } from "#shared/records.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** Saves what the form of the profile holds; a field that it does not have stays as it is. */
export function saveProfile(
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
  imageId: string,
): Promise<{ matchedCount: number }> {
  const { firstName = "", secondName = "", ...others } = pick(fields, profileFieldNames);
  const picture = imageId ? { imageId } : {};
  return features.profiles.edit(viewer, { firstName, secondName, ...others, ...picture });
}
