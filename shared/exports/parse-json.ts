import { invalid } from "#shared/exports/invalid.ts";

/** A text of an archive. Refuses with archive-invalid, and `name`, what is no JSON. */
export function parseJson(name: string, json: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(json);
  } catch (cause) {
    throw invalid(`${name} in this archive is damaged and can't be read.`, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(`${name} in this archive isn't valid JSON.`, cause);
  }
}
