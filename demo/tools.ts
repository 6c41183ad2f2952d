import pLimit from "p-limit";
import type { Installation } from "./installation.ts";
import type { Skipped } from "./skipped.ts";
import type { Easel } from "./photos/painted.ts";
import type { Progress } from "./progress.ts";

export type Tools = Omit<Installation, "close"> &
  Easel & {
    progress: Progress;
    /** what the people of the town do not want any more */
    skipped: Skipped;
  };

/** Things done at once: enough to keep PostgreSQL's disk busy, few for its connections. */
export const atOnce = pLimit(4);
