import { crc32 } from "#app/features/archive/device/crc32.ts";
import { fingerprintOf } from "#shared/exports/export-zip.ts";

/** A file of an export on the device; reading refuses with archive-invalid what is damaged. */
export type DeviceFile = {
  bytes: number;
  fingerprint: () => Promise<string>;
  /** the first bytes, at most so many */
  head: (most: number) => Promise<Uint8Array>;
  whole: () => Promise<Blob>;
};

/** What was chosen together: a zip, or files that are in none. */
export type Part = { names: readonly string[]; file: (name: string) => DeviceFile };

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
      return {
        bytes: file.size,
        fingerprint: async () => fingerprintOf(await checksumOf(file), file.size),
        head: async (most) => readBytes(file.slice(0, most)),
        // Read now: a file that is gone while it is sent would look like a broken connection.
        whole: async () => new Blob([await file.arrayBuffer()], { type: file.type }),
      };
    },
  };
}

/** Bytes of one reading: a film may be longer than the memory. */
const piece = 1024 * 1024;

async function checksumOf(file: Blob): Promise<number> {
  let sum = 0;
  for (let at = 0; at < file.size; at += piece)
    sum = crc32(await readBytes(file.slice(at, at + piece)), sum);
  return sum;
}

export const readBytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
