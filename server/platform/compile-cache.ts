import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** The environment of what gets none of our settings, a process or a thread: the cache of compiled code, if any. */
export function compileCacheAlone(): { NODE_COMPILE_CACHE?: string } {
  // Node answers with the folder of its own version in what it was given.
  const own = getCompileCacheDir();
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) };
}
