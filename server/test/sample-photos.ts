import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { everything } from "#server/test/everything.ts";

/**
 * The path of a real photograph that is stored beside the project. Empty if there is none, and in `npm test`,
 * which uses drawn ones of every kind: real ones would take a minute more of processor time.
 */
export function samplePhoto(name: string): string {
  const path = resolve("../shared/photos", name);
  return everything && existsSync(path) ? path : "";
}
