import type { DataStrategyResult } from "react-router";

type Results = Record<string, DataStrategyResult>;
type Next = () => Promise<Results>;

/** A hook around the reading of every page, in the browser: nothing, until a listener is set. */
export const around: { run: (request: Request, next: Next) => Promise<Results> } = {
  run: (_request, next) => next(),
};
