import { createContext } from "react-router";
import type { PageContext } from "#server/http/page-context.ts";

/** Loaders and actions reach the server with `context.get(appContext)`. */
export const appContext = createContext<PageContext>();
export type { PageContext };
