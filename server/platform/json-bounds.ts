/** How much a JSON text may hold: bytes alone say little, since `{},` becomes fifty times as much memory. */
export type JsonBounds = {
  /** arrays and objects inside each other */
  depth: number;
  /** numbers, texts, arrays, objects and so on, all together */
  values: number;
};

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [code('"'), code("\\"), code(",")];
const [array, object, arrayEnd, objectEnd] = [code("["), code("{"), code("]"), code("}")];

/**
 * Counts what a parser would make of a JSON text (UTF-8), without making it: one look at each byte,
 * no memory. Says which bound it breaks, or how many values there are at most. Whether it is JSON
 * at all is for the parser to say.
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
