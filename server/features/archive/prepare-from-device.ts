import type { z } from "zod";
import { preparePost, type PreparedPost } from "#server/features/archive/prepare.ts";
import { notExported } from "#server/features/archive/readers/prepare-exported.ts";
import type { ExportKind } from "#shared/archive.ts";
import type { devicePostInput } from "#shared/archive.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { isPossible, labelOf, noDay } from "#shared/exports/export.ts";
import { skippedMessage } from "#shared/exports/skipped.ts";

/**
 * A post that a device read in an export, its images by their ids or addresses. Refuses with input-invalid a key of another
 * service.
 */
export function prepareFromDevice(
  kind: ExportKind,
  { key, time, pictures, ...words }: z.output<typeof devicePostInput>,
): PreparedPost {
  if (!key.startsWith(`${kind}:`)) throw refuse("input-invalid");
  const label = labelOf(time);
  if (!isPossible(time)) {
    return { id: null, key, label, time: 0, skipped: skippedMessage(label, noDay) };
  }
  const prepared = preparePost(
    {
      ...notExported,
      ...words,
      id: null,
      earlier: [],
      time,
      pictures: pictures.map(({ alt, focalPoint }) => ({
        file: "",
        sha256: null,
        alt,
        focalPoint,
      })),
    },
    { key, label },
  );
  return { ...prepared, asChosen: true };
}
