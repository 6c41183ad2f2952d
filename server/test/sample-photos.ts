import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { everything } from "#server/test/everything.ts";

/**
 * Where a real photograph lies that is kept beside the project. Empty where there is none, and in `npm test`,
 * which has drawn ones of every kind: real ones cost it a minute of processor more.
 */
export function samplePhoto(name: string): string {
  const path = resolve("../shared/photos", name);
  return everything && existsSync(path) ? path : "";
}
