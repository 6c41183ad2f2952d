import { parseJson } from "#shared/exports/parse-json.ts";
import { invalid } from "#shared/exports/invalid.ts";

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash] = [code('"'), code("\\")];
const [array, object, arrayEnd, objectEnd] = [code("["), code("{"), code("]"), code("}")];
/** Bytes of one entry; no honest one is nearly as long. */
const longest = 4 * 1024 * 1024;
const decoder = new TextDecoder();

/** An entry of a list, and the name of its list, empty where the whole text is one; null: it cannot be read. */
export type ListItem = { list: string; item: unknown };

/**
 * The objects in the lists of a JSON text (UTF-8), which is one list or an object of lists, parsed one by one: a
 * list of all that somebody ever posted takes no more memory than its longest entry. Refuses with
 * archive-invalid, and `name`, what is no JSON.
 */
export function* listItems(name: string, json: Uint8Array): Generator<ListItem> {
  let depth = 0;
  let top = 0;
  let list = "";
  let isList = false;
  let start = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) {
      const from = at + 1;
      at = endOfText(json, from);
      if (depth === 1 && top === object)
        list = decoder.decode(json.subarray(from, Math.min(at, from + 100)));
    } else if (byte === array || byte === object) {
      if (depth === 0) top = byte;
      depth += 1;
      if (depth === lists(top)) isList = byte === array;
      if (depth === lists(top) + 1 && byte === object) start = at;
    } else if (byte === arrayEnd || byte === objectEnd) {
      if (isList && byte === objectEnd && depth === lists(top) + 1) {
        const text = json.subarray(start, at + 1);
        yield { list, item: text.length > longest ? null : parseJson(name, text) };
      }
      depth -= 1;
      if (depth < 0) break;
    }
  }
  if (depth !== 0 || top === 0) throw invalid(`${name} in this archive isn't valid JSON.`);
}

/** How deep lists are: the whole text, or what an object has. */
const lists = (top: number) => (top === array ? 1 : 2);

function endOfText(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
