import pLimit from "p-limit";
import type { Installation } from "./installation.ts";
import type { Skipped } from "./skipped.ts";
import type { Easel } from "./photos/painted.ts";
import type { Progress } from "./progress.ts";

export type Tools = Omit<Installation, "close"> &
  Easel & {
    progress: Progress;
    /** what was skipped */
    skipped: Skipped;
  };

/** How many things are done at once: enough to keep PostgreSQL's disk busy, few for its connections. */
export const atOnce = pLimit(4);
