import { openZip } from "#server/features/archive/zip-reader.ts";
import { wantedInExports } from "#shared/exports/export-zip.ts";
import { readTexts } from "#shared/exports/read-texts.ts";

/**
 * A zip from another service, or of a folder. Its texts count against the budget of an archive. Refuses as
 * openZip does. Days that say no time zone are of `zone`.
 */
export async function openExportZip(path: string, zone = "UTC") {
  const zip = await openZip(path, wantedInExports);
  return { ...zip, zone, names: [...zip.names()], ...readTexts(zip, zip.readText) };
}
