import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

const bounds = {
  fileBytes: limits.archive.bytes,
  tooHeavy: "archive-too-heavy",
  readPast: false,
  maxFiles: 1,
  lane: "archives",
} as const;

/** Begins to import the archive of a form. Whether it may come is asked before its 4 GB do. */
export async function startImport(
  { features: { imports }, readForm }: PageContext,
  member: Viewer,
  request: Request,
): Promise<void> {
  await imports.checkMayStart(member);
  const { file } = await readForm(request, bounds);
  await imports.start(member, file("archive"));
}
