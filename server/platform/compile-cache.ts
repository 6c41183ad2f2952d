import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** For a process or a thread that gets none of our settings: it may read the cache of compiled code, where there is one. */
export function compileCacheAlone(): { NODE_COMPILE_CACHE?: string } {
  // Node answers with the folder of its own version in what it was given.
  const own = getCompileCacheDir();
  return own === undefined ? {} : { NODE_COMPILE_CACHE: dirname(own) };
}
