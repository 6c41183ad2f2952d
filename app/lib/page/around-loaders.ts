import type { DataStrategyResult } from "react-router";

type Results = Record<string, DataStrategyResult>;
type Next = () => Promise<Results>;

/** What stands around the reading of every page, in the browser: nothing, until somebody listens. */
export const around: { run: (request: Request, next: Next) => Promise<Results> } = {
  run: (_request, next) => next(),
};
