import type { z } from "zod";
import { preparePost, type PreparedPost } from "#server/features/archive/prepare.ts";
import type { devicePostInput } from "#shared/archive.inputs.ts";
import type { ExportKind } from "#shared/archive.ts";
import { refuse } from "#shared/errors.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { isPossible, labelOf, noDay, problemOf, type KeyedPost } from "#shared/exports/export.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";

type ArchivedPost = Parameters<typeof preparePost>[0];
type Said = Pick<ArchivedPost, "caption" | "language" | "warning" | "sensitive" | "audience"> &
  Partial<Pick<ArchivedPost, "showPlace">>;

/** A post as it may be published, or the sentence that says why not. */
export function prepareExported(zip: Pick<ExportZip, "has">, post: KeyedPost): PreparedPost {
  const problem = problemOf(zip, post);
  if (problem !== null) return skipExported(post, problem);
  const pictures = post.pictures.map((picture) => ({ ...picture, sha256: null }));
  return prepareRead({ ...post, language: post.language ?? null, pictures });
}

/** A post that cannot come, with the sentence that says why. */
const skipExported = ({ key, time }: Pick<KeyedPost, "key" | "time">, skipped: string) => {
  return { id: null, key, label: labelOf(time), time: 0, skipped };
};

type Read = Said & Pick<KeyedPost, "key" | "time"> & Pick<ArchivedPost, "pictures">;

/** A post of another service's export, whose audience the importer's choice narrows. */
function prepareRead({ key, ...post }: Read): PreparedPost {
  const archived = { ...notExported, ...post, id: null, earlier: [] };
  return { ...preparePost(archived, { key, label: labelOf(post.time) }), asChosen: true };
}

/** What other services do not say. */
const notExported = {
  timeZone: "UTC",
  editedAt: null,
  showCamera: false,
  showPlace: false,
  commentsFrom: "everyone",
} as const;

/**
 * A post that a device read in an export, its images by their ids or addresses. Refuses with input-invalid a key of
 * another service.
 */
export function prepareFromDevice(
  kind: ExportKind,
  post: z.output<typeof devicePostInput>,
): PreparedPost {
  const { key, time } = post;
  if (!key.startsWith(`${kind}:`)) throw refuse("input-invalid");
  if (!isPossible(time)) return skipExported(post, skippedMessage(labelOf(time), noDay));
  const pictures = post.pictures.map(({ alt, focalPoint }) => {
    return { file: "", sha256: null, alt, focalPoint };
  });
  return prepareRead({ ...post, pictures });
}
