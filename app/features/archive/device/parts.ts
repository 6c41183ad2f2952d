import { crc32 } from "#app/features/archive/device/crc32.ts";
import { fileOf, unpacked } from "#app/features/archive/device/unpack.ts";
import { listedEntries } from "#app/features/archive/device/zip-directory.ts";
import { fingerprintOf, wantedInExports } from "#shared/exports/export-zip.ts";
import { checkOverlap, collectEntries, type Wanted } from "#shared/exports/zip-entries.ts";

/** A file of an export on the device. */
export type DeviceFile = {
  bytes: number;
  fingerprint: () => Promise<string>;
  /** chunk by chunk; refuses with archive-invalid what is damaged */
  chunks: () => AsyncGenerator<Uint8Array>;
  whole: () => Promise<Blob>;
};

/** What was chosen together: a zip, or files that are in none. */
export type Part = { names: readonly string[]; file: (name: string) => DeviceFile };

const ours: Wanted["names"] = /^postcard\.json$/;

/** The wanted files of a zip, by its list; none of them is read. Refuses as the server refuses it. */
export async function zipPart(zip: Blob): Promise<Part | "postcard"> {
  // Photos are unpacked one by one, when somebody wants them: together they may have any size.
  const { entries, add } = collectEntries(wantedInExports, Number.POSITIVE_INFINITY);
  let isOurs = false;
  for await (const entry of listedEntries(zip)) {
    isOurs ||= ours.test(entry.fileName);
    add(entry);
  }
  if (isOurs) return "postcard";
  checkOverlap(entries);
  return {
    names: [...entries.keys()],
    file(name) {
      const entry = entries.get(name);
      if (!entry) throw new Error(`${name} is not in this part`);
      return {
        bytes: entry.uncompressedSize,
        fingerprint: () => Promise.resolve(fingerprintOf(entry.crc32, entry.uncompressedSize)),
        chunks: () => unpacked(zip, name, entry),
        whole: () => fileOf(zip, name, entry),
      };
    },
  };
}

/** Where a file is in the folder that was chosen. */
export const pathOf = ({ webkitRelativePath, name }: File) => webkitRelativePath || name;

/** Files that were chosen themselves. Their checksum is that of a zip, so that they have the same keys. */
export function filesPart(files: readonly File[]): Part {
  const byName = new Map(files.map((file) => [pathOf(file), file]));
  return {
    names: [...byName.keys()],
    file(name) {
      const file = byName.get(name);
      if (!file) throw new Error(`${name} was not chosen`);
      const chunks = () => unpackedFile(file);
      return {
        bytes: file.size,
        fingerprint: async () => {
          let sum = 0;
          for await (const chunk of chunks()) sum = crc32(chunk, sum);
          return fingerprintOf(sum, file.size);
        },
        chunks,
        whole: () => Promise.resolve(file),
      };
    },
  };
}

/** Bytes of one reading. */
const piece = 1024 * 1024;

async function* unpackedFile(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += piece)
    yield new Uint8Array(await file.slice(at, at + piece).arrayBuffer());
}
