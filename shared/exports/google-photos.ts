import { z } from "zod";
import type { ReadExport } from "#shared/exports/export.ts";
import { isPhoto, type ExportZip } from "#shared/exports/export-zip.ts";
import { readPhotos, takenAt } from "#shared/exports/photo-post.ts";

/** What Takeout adds to a photo's name, or as much of it as fits. */
const addition = ".supplemental-metadata";
/** Characters of a name that fit, without ".json". */
const longest = 46;

const sidecar = z.object({
  description: z.string().catch(""),
  /** epoch seconds */
  photoTakenTime: z.object({ timestamp: z.coerce.number() }).nullish().catch(null),
  trashed: z.boolean().catch(false),
  archived: z.boolean().catch(false),
});

export const isGooglePhotos = ({ names }: Pick<ExportZip, "names">): boolean => {
  const sidecars = sidecarsIn(names);
  return names.some((name) => isPhoto(name) && sidecarOf(name, sidecars) !== undefined);
};

/** The photos of a Takeout of Google Photos, with what it says about each in a file beside it. */
export async function readGooglePhotos(zip: ExportZip): Promise<ReadExport> {
  const sidecars = sidecarsIn(zip.names);
  return readPhotos(zip, async (name) => {
    const about = sidecarOf(name, sidecars);
    const { data } = sidecar.safeParse(about ? await zip.json(about) : null);
    if (!data) return takenAt(zip, name);
    if (data.trashed) return null;
    const seconds = data.photoTakenTime?.timestamp;
    return {
      ...(seconds === undefined ? await takenAt(zip, name) : { time: seconds * 1000 }),
      caption: data.description,
      audience: data.archived ? "only-me" : "everyone",
    };
  });
}

/** Files about photos, by the name of the photo: `IMG.jpg(1).json` is about `IMG(1).jpg`. */
function sidecarsIn(names: readonly string[]): Map<string, string> {
  const sidecars = new Map<string, string>();
  for (const name of names) {
    if (!name.endsWith(".json")) continue;
    const base = name.slice(0, -".json".length);
    const [, before = base, count = ""] = /^(.*)(\(\d+\))$/s.exec(base) ?? [];
    const photo = withoutAddition(before);
    const dot = photo.lastIndexOf(".");
    const counted = count && dot > 0 ? photo.slice(0, dot) + count + photo.slice(dot) : photo;
    sidecars.set(counted, name);
    const start = base.lastIndexOf("/") + 1;
    if (base.length - start >= longest) sidecars.set(base.slice(0, start + longest), name);
  }
  return sidecars;
}

function withoutAddition(base: string): string {
  for (let length = addition.length; length > 1; length -= 1) {
    if (base.endsWith(addition.slice(0, length))) return base.slice(0, -length);
  }
  return base;
}

/** Also of `IMG-edited.jpg`, and of a name that was too long. */
function sidecarOf(name: string, sidecars: ReadonlyMap<string, string>): string | undefined {
  const start = name.lastIndexOf("/") + 1;
  return (
    sidecars.get(name) ??
    sidecars.get(name.replace(/-\p{L}+(?=\.\w+$)/u, "")) ??
    sidecars.get(name.slice(0, start + longest))
  );
}
