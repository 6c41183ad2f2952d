import { limits } from "#shared/limits.ts";
import { audiences } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

const bounds = {
  fileBytes: limits.archive.bytes,
  tooHeavy: "archive-too-heavy",
  readPast: false,
  maxFiles: 1,
  lane: "archives",
} as const;

/** Starts importing the archive of a form. Checks whether it is allowed before receiving up to 4 GB. */
export async function startImport(
  { features: { imports }, readForm }: PageContext,
  member: Viewer,
  request: Request,
): Promise<void> {
  await imports.checkMayStart(member);
  const { file, fields } = await readForm(request, bounds);
  const audience = audiences.find((each) => each === fields["audience"]) ?? null;
  const showNewest = fields["showNewest"] !== undefined;
  await imports.start(member, file("archive"), { audience, showNewest });
}
