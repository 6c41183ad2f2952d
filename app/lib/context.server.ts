import { createContext } from "react-router";
import type { PageContext } from "#server/http/page-context.ts";

export type { AnswerOf, Call, CallSchema, FieldOf, Sent } from "#server/api/declared-calls.ts";
export type { ReceivedUpload } from "#server/features/types.ts";

/** Loaders and actions reach the server with `context.get(appContext)`. */
export const appContext = createContext<PageContext>();
/** The calls that forms make without scripts, by subject. */
export type FormCalls = PageContext["calls"];
export type { PageContext };
