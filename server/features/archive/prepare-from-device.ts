import type { z } from "zod";
import type { PreparedPost } from "#server/features/archive/prepare.ts";
import { prepareRead, skipExported } from "#server/features/archive/readers/prepare-exported.ts";
import type { ExportKind } from "#shared/archive.ts";
import type { devicePostInput } from "#shared/archive.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { isPossible, labelOf, noDay } from "#shared/exports/export.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";

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
