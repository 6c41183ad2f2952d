import { preparePost, type PreparedPost } from "#server/features/archive/prepare.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { labelOf, problemOf, type KeyedPost } from "#shared/exports/export.ts";

/** A post as it may be published, or the sentence that says why not. */
export function prepareExported(zip: Pick<ExportZip, "has">, post: KeyedPost): PreparedPost {
  const { pictures, time, audience, key, ...words } = post;
  const label = labelOf(time);
  const problem = problemOf(zip, post);
  if (problem !== null) return { id: null, key, label, time: 0, skipped: problem };
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
export const notExported = {
  timeZone: "UTC",
  editedAt: null,
  showCamera: false,
  showPlace: false,
  commentsFrom: "everyone",
} as const;
