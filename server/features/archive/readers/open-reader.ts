import { open } from "node:fs/promises";
import { profileInput } from "#server/features/archive/archive.inputs.ts";
import { readArchive } from "#server/features/archive/read-archive.ts";
import { prepareExported } from "#server/features/archive/readers/prepare-exported.ts";
import { openZip } from "#server/features/archive/zip-reader.ts";
import { wantedInExports } from "#shared/exports/export-zip.ts";
import { invalid } from "#shared/exports/invalid.ts";
import { readTexts } from "#shared/exports/read-texts.ts";
import { isGzip, readExportZip, tarGz } from "#shared/exports/services.ts";

/**
 * An archive of any kind: ours, or what another service exports, whose days are of `zone` where they say none. Refuses
 * with archive-invalid what none of the readers knows, or can read. Close it afterwards.
 */
export async function openReader(path: string, zone?: string) {
  await refuseTarGz(path);
  const zip = await openExportZip(path, zone);
  if (!zip.has("postcard.json")) return readExport(zip);
  zip.close();
  return readArchive(path);
}

/** Archives of Mastodon were that once. */
async function refuseTarGz(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (isGzip(buffer.subarray(0, bytesRead))) throw tarGz();
  } finally {
    await file.close();
  }
}

/** How many posts are prepared at once. */
const listLength = 100;

async function readExport(zip: Awaited<ReturnType<typeof openExportZip>>) {
  try {
    const { kind, posts: taken, leftOut } = await readExportZip(zip);
    if (kind === "pixelfed") throw onlyAddresses();

    async function* lists() {
      for (let at = 0; at < taken.length; at += listLength) {
        const list = taken.slice(at, at + listLength);
        yield list.map((post) => () => prepareExported(zip, post));
      }
    }

    return {
      kind,
      profile: profileInput.parse({}),
      check: async () => {
        return { posts: taken.length, messages: 0, leftOut };
      },
      posts: lists,
      messages: none,
      albums: none,
      extractImage: zip.extractImage,
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* none(): AsyncGenerator<never> {}

const onlyAddresses = () =>
  invalid(
    "An export of Pixelfed has only the addresses of your photos. Choose the file itself in a browser that runs scripts: it brings them over.",
  );

/**
 * A zip from another service, or of a folder. Its texts count against the budget of an archive. Refuses as
 * openZip does. Days that say no time zone are of `zone`.
 */
export async function openExportZip(path: string, zone = "UTC") {
  const zip = await openZip(path, wantedInExports);
  return { ...zip, zone, names: [...zip.names()], ...readTexts(zip, zip.readText) };
}
