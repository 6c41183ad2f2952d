import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientInfo } from "#server/features/types.ts";

/**
 * The client of the current request: for the security log of every change of an account, wherever
 * it is made, and for the language of what is mailed to somebody who chose none. No rule depends on it; outside a request there is none.
 */
export const currentClient = new AsyncLocalStorage<ClientInfo>();
