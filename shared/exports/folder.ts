import type { ReadExport } from "#shared/exports/export.ts";
import { isPhoto, type ExportZip } from "#shared/exports/export-zip.ts";
import { readPhotos, takenAt } from "#shared/exports/photo-post.ts";

export const isFolder = ({ names }: Pick<ExportZip, "names">): boolean =>
  names.some((name) => isPhoto(name));

/** Photos on the days when they were taken. */
export const readFolder = (zip: ExportZip): Promise<ReadExport> =>
  readPhotos(zip, (name) => takenAt(zip, name));
