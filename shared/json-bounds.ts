/**
 * How much a JSON text may contain: bytes alone say little, since `{},` becomes fifty times as much memory.
 */
export type JsonBounds = {
  /** arrays and objects nested in each other */
  depth: number;
  /** numbers, texts, arrays, objects and so on, in total */
  values: number;
};

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code("\\"), code(",")];
const [array, object, arrayEnd, objectEnd] = [code("["), code("{"), code("]"), code("}")];

/**
 * Counts what a parser would make of a JSON text (UTF-8), without making it: one pass over the bytes, no
 * memory. Returns the bound it exceeds, or the highest possible number of values. Whether it is JSON at all
 * is for the parser to decide.
 */
export function countJson(json: Uint8Array, most: JsonBounds): number | "too-deep" | "too-many" {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === quote) {
      at += 1;
      while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
    } else if (byte === comma) {
      values += 1;
    } else if (byte === array || byte === object) {
      values += 1;
      depth += 1;
      if (depth > most.depth) return "too-deep";
    } else if (byte === arrayEnd || byte === objectEnd) {
      depth -= 1;
    }
    if (values > most.values) return "too-many";
  }
  return values;
}
