import { AsyncLocalStorage } from "node:async_hooks";
import type { ClientInfo } from "#server/features/types.ts";

/**
 * Who is at the other end of the request that runs: for what is noted of every change of an
 * account's security, wherever it is made. No rule depends on it; outside a request there is nobody.
 */
export const currentClient = new AsyncLocalStorage<ClientInfo>();
