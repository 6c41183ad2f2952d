import { readBytes, type DeviceFile, type Part } from "#app/features/archive/device/parts.ts";
import { refuse } from "#shared/errors.ts";
import { wantedInExports, type ExportZip } from "#shared/exports/export-zip.ts";
import { invalid, shown } from "#shared/exports/invalid.ts";
import { readTexts } from "#shared/exports/read-texts.ts";
import { checkEntryCount } from "#shared/exports/zip-entries.ts";
import { limits } from "#shared/limits.ts";

/**
 * Several parts of an export, as if they were one zip. Their texts count against the budget of an archive of
 * `bytes`, which is what was chosen; days that say no time zone are of `zone`.
 */
export function openParts(
  parts: readonly Part[],
  { bytes, zone }: { bytes: number; zone: string },
) {
  checkEntryCount(parts.reduce((sum, { names }) => sum + names.length, 0));
  const places = new Map<string, { part: Part; name: string }>();
  for (const [nth, part] of parts.entries()) {
    for (const name of part.names) {
      // Parts may have lists of the same name, of which none may be lost.
      const as = places.has(name) ? `part ${nth + 1}/${name}` : name;
      places.set(as, { part, name });
    }
  }

  function find(name: string): DeviceFile {
    const place = places.get(name);
    if (!place) throw invalid(`${shown(name)} is missing from this archive.`);
    return place.part.file(place.name);
  }

  const zip: ExportZip = {
    zone,
    names: [...places.keys()],
    has: (name) => places.has(name),
    fingerprint: (name) => find(name).fingerprint(),
    head: (name, most) => find(name).head(most),
    ...readTexts({ bytes }, (name) => readText(name, find(name))),
  };

  async function photo(name: string): Promise<Blob> {
    const file = find(name);
    if (file.bytes > limits.imageBytes) throw refuse("picture-too-heavy");
    return file.whole();
  }

  return { ...zip, bytesOf: (name: string) => find(name).bytes, photo };
}

async function readText(name: string, file: DeviceFile): Promise<Uint8Array> {
  if (file.bytes > wantedInExports.mostText) throw invalid(`${name} in this archive is too large.`);
  return readBytes(await file.whole());
}
