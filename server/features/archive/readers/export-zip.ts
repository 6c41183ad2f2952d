import { listItems, type ListItem } from "#server/features/archive/readers/json-lists.ts";
import { parseJson } from "#server/features/archive/parse-json.ts";
import { createTextBudget, ofLongList } from "#server/features/archive/text-budget.ts";
import { openZip, type Wanted } from "#server/features/archive/zip-reader.ts";

const photo = /\.(jpe?g|png|webp|heic|heif|avif|gif)$/i;
const video = /\.(mp4|m4v|mov|webm|3gp|avi|mkv|mpe?g|wmv)$/i;

export const isPhoto = (name: string) => photo.test(name);
export const isVideo = (name: string) => video.test(name);

const wanted: Wanted = {
  // without what macOS puts beside every file
  names:
    /^(?!__MACOSX\/|(?:.*\/)?\._).+\.(json|html|jpe?g|png|webp|heic|heif|avif|gif|mp4|m4v|mov|webm|3gp|avi|mkv|mpe?g|wmv)$/i,
  images: photo,
  longestName: 300,
  mostText: 128 * 1024 * 1024,
};

/**
 * A zip from another service, or of a folder. Its texts count against the budget of an archive. Refuses as
 * openZip does.
 */
export async function openExportZip(path: string) {
  const zip = await openZip(path, wanted);
  const budget = createTextBudget(zip, ofLongList);

  async function read(name: string): Promise<Buffer> {
    const text = await zip.readText(name);
    budget.spend(name, text);
    return text;
  }

  async function* items(name: string): AsyncGenerator<ListItem> {
    yield* listItems(name, await read(name));
  }

  return {
    ...zip,
    names: [...zip.names()],
    /** the entries of the lists in a text of any length, until the next text is read */
    items,
    /** a short text */
    json: async (name: string): Promise<unknown> => parseJson(name, await read(name)),
  };
}

export type ExportZip = Awaited<ReturnType<typeof openExportZip>>;
