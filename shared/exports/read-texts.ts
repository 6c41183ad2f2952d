import type { ExportZip } from "#shared/exports/export-zip.ts";
import { listItems, type ListItem } from "#shared/exports/json-lists.ts";
import { parseJson } from "#shared/exports/parse-json.ts";
import { createTextBudget, ofLongList } from "#shared/exports/text-budget.ts";

/** Reads the texts of an export of `bytes`, which count against the budget of an archive. */
export function readTexts(
  { bytes }: { bytes: number },
  readText: (name: string) => Promise<Uint8Array>,
): Pick<ExportZip, "items" | "json"> {
  const budget = createTextBudget({ bytes }, ofLongList);

  async function read(name: string): Promise<Uint8Array> {
    const text = await readText(name);
    budget.spend(name, text);
    return text;
  }

  async function* items(name: string): AsyncGenerator<ListItem> {
    yield* listItems(name, await read(name));
  }

  return { items, json: async (name) => parseJson(name, await read(name)) };
}
